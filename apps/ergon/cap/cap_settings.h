#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "control/arrivals.h"
#include "networks/network_source.h"
#include "options.h"
#include "predict/predictor_source.h"

namespace ergon::app {

// What `ergon cap` is asked for.
struct CapSettings {
  NetworkSource network;
  PrecisionSetting precision;
  std::optional<std::string> device;
  std::optional<std::string> trace;          // a file, instead of network and device
  std::optional<std::string> trace_network;  // in it
  // One of these.
  std::optional<Watts> watts;
  std::optional<std::string> schedule, cap_file, cap_socket;
  std::string controller = "joint";
  std::optional<Seconds> duration;
  std::optional<Seconds> latency;  // at the 99th percentile
  std::vector<std::string> batch_texts;
  bool no_clock = false;
  bool allow_control = false;  // of a GPU's clock
  std::optional<double> rate;  // at which requests come by themselves
  std::optional<std::string> log;
  std::uint64_t seed = 1;

  void declare(Options& options);
  // What is wrong with the options as a whole: a usage error.
  Result<> check_together() const;

  // Ascending; none: the usual ones.
  std::vector<std::int64_t> batches() const;
  Seconds lasting() const { return duration.value_or(Seconds{60}); }
  control::Arrivals arrivals() const;
  // What a batch may take so that requests keep to the latency: one that comes when a batch has just begun
  // waits for that, and then for its own.
  std::optional<Seconds> batch_latency() const;
  // --device is a GPU of this machine.
  bool names_gpu() const;
  // Somebody writes it while the run goes on.
  bool cap_from_outside() const { return cap_file || cap_socket; }

 private:
  Result<> check_trace() const;
  std::function<bool()> precision_given_;
};

// "p99<=50ms", or "50ms" for short.
Result<Seconds> parse_latency_bound(std::string_view text);

}  // namespace ergon::app
