#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "control/controllers/choice.h"
#include "control/targets/target.h"
#include "devices/device_options.h"
#include "networks/network_options.h"
#include "options.h"

namespace ergon::app {

// Options of `ergon cap`.
struct CapSettings {
  NetworkSource network;
  DeviceSource device;
  std::optional<device::Precision> precision;  // default: the network's
  std::optional<std::string> trace;            // table file; replaces network and device
  std::optional<std::string> trace_network;    // network in the table
  // Exactly one of these four is set.
  std::optional<Watts> cap;
  std::optional<std::string> schedule, cap_file, cap_socket;
  control::ControllerKind controller = control::ControllerKind::joint;
  std::optional<Seconds> duration;
  std::optional<Seconds> latency;     // bound on the 99th percentile
  std::vector<std::int64_t> batches;  // empty: the default batches
  bool no_clock = false;
  bool allow_control = false;  // permits locking the GPU's clock
  std::optional<double> rate;  // requests per second; empty: closed arrivals
  std::optional<std::string> log;
  std::uint64_t seed = 1;

  void declare(Options& options);
  // Usage errors: contradictory or missing options.
  Result<> check_together() const;

  Seconds run_time() const { return duration.value_or(Seconds{60}); }
  control::TargetSettings target() const;
  // The same with the precision of the network, if none was given.
  control::TargetSettings target_for(const graph::Network& loaded) const;
  // Whether the network runs on a GPU of this machine.
  bool uses_gpu() const { return !trace && device.kind() == device::NameKind::gpu; }
  // The cap can change during the run.
  bool cap_from_outside() const { return cap_file || cap_socket; }

 private:
  Result<> check_trace() const;
  std::function<bool()> precision_given_;
};

// "p99<=50ms", or "50ms" for short.
Result<Seconds> parse_latency_bound(std::string_view text);

}  // namespace ergon::app
