#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/units.h"
#include "devices/device_options.h"
#include "options.h"
#include "profile/plan.h"
#include "sweep/clock_choice.h"
#include "sweep/experiment.h"
#include "sweep/run.h"

namespace ergon::app {

// The options of `ergon sweep`.
struct SweepSettings {
  DeviceSource device;
  std::vector<std::string> networks;
  sweep::ClockChoice clocks = std::size_t{20};
  std::uint64_t repeats = 3, seed = 1;
  std::int64_t batch = 1;
  sweep::Scenario scenario = sweep::Scenario::steady;
  std::optional<device::Precision> precision;  // absent: that of the networks
  std::optional<std::int64_t> size;
  std::optional<Seconds> duration, warm_up;
  std::string out;
  bool resume = false, allow_control = false;

  void declare(Options& options);
  // Loads the networks; "table1" stands for the 31 networks of the paper.
  Result<std::vector<profile::LoadedNetwork>> candidates() const;
  // Whether the clock is set. The default clock is not.
  bool locks_clocks() const { return !std::holds_alternative<sweep::DefaultClock>(clocks); }
  // The experiment without its clocks. Errors: networks of several data types without --precision.
  Result<sweep::Experiment> experiment(const std::vector<profile::LoadedNetwork>& candidates) const;
};

}  // namespace ergon::app
