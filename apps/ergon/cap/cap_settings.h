#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "control/plants/arrivals.h"
#include "networks/network_source.h"
#include "options.h"
#include "predict/predictor_source.h"

namespace ergon::app {

// Options of `ergon cap`.
struct CapSettings {
  NetworkSource network;
  PrecisionSetting precision;
  std::optional<std::string> device;
  std::optional<std::string> trace;          // table file; replaces network and device
  std::optional<std::string> trace_network;  // network in the table
  // Exactly one of these four is set.
  std::optional<Watts> cap;
  std::optional<std::string> schedule, cap_file, cap_socket;
  std::string controller = "joint";
  std::optional<Seconds> duration;
  std::optional<Seconds> latency;  // bound on the 99th percentile
  std::vector<std::string> batch_texts;
  bool no_clock = false;
  bool allow_control = false;  // permits locking the GPU's clock
  std::optional<double> rate;  // requests per second; empty: closed arrivals
  std::optional<std::string> log;
  std::uint64_t seed = 1;

  void declare(Options& options);
  // Usage errors: contradictory or missing options.
  Result<> check_together() const;

  // Ascending; empty: the default batches.
  std::vector<std::int64_t> batches() const;
  Seconds run_time() const { return duration.value_or(Seconds{60}); }
  control::Arrivals arrivals() const;
  // Bound on the duration of a batch that keeps the latency bound. With open arrivals it is half the bound: a
  // request that arrives when a batch has just started waits for that batch and then for its own.
  std::optional<Seconds> batch_latency() const;
  // Whether --device is a GPU of this machine.
  bool names_gpu() const;
  // The cap can change during the run.
  bool cap_from_outside() const { return cap_file || cap_socket; }

 private:
  Result<> check_trace() const;
  std::function<bool()> precision_given_;
};

// "p99<=50ms", or "50ms" for short.
Result<Seconds> parse_latency_bound(std::string_view text);

}  // namespace ergon::app
