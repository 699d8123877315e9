#pragma once

// Finds the operating point (device, batch, clock, power limit) that costs least within bounds, by predicting
// all of them. No device is changed.
//
//   ergon::TuneRequest request;
//   request.max_latency = ergon::Seconds{0.02};
//   auto tuned = ergon::tune_network(*network, {*predictor}, request);
//   use(tuned->choice.clock, tuned->energy_saving);

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ergon/export.h"
#include "ergon/network.h"
#include "ergon/predict.h"
#include "ergon/result.h"
#include "ergon/units.h"

namespace ergon {

// What to minimize, per sample so that batches are comparable. Minimal time is maximal throughput.
enum class Objective : std::uint8_t { energy, energy_delay, time, price };
ERGON_API std::string_view name_of(Objective objective);

// Prices of energy and GPU time, in any currency.
struct TunePrices {
  std::optional<double> per_kwh = {};
  std::map<std::string, double> per_gpu_hour = {};  // by device, for all or none; empty: time is free
};

struct TuneRequest {
  Objective objective = Objective::energy;
  TunePrices prices = {};  // Objective::price needs one

  // Bounds on predicted values (not on their intervals).
  std::optional<Seconds> max_latency = {};    // per iteration
  std::optional<double> min_throughput = {};  // samples per second
  std::optional<Watts> max_power = {};        // mean

  // What to try. Empty batches: 1, 2, 4, ... 256, or the network's only batch.
  std::vector<std::int64_t> batches = {};
  bool lock_clocks = true;                              // false: default clock only
  std::optional<Hertz> min_clock = {}, max_clock = {};  // absent: the device's range
  std::vector<Watts> power_limits = {};                 // besides the board's default

  // How the network is run.
  Mode mode = Mode::inference;
  std::optional<Precision> precision = {};  // absent: the network's; tf32 for float32
  std::optional<LaunchHost> host = {};
};

// An operating point with the prediction there.
struct OperatingPoint {
  std::string device;
  std::int64_t batch = 1;
  std::optional<Hertz> clock;  // to lock; absent: leave it unlocked
  Watts power_limit;
  bool default_power_limit = true;
  Prediction prediction;

  Seconds latency() const { return prediction.time.value; }  // per iteration
  double samples_per_second() const { return prediction.samples_per_second(); }
  Joules energy_per_sample() const { return prediction.energy_per_sample.value; }
};

// The best point of one device; absent if none meets the bounds.
struct DeviceChoice {
  std::string device;
  std::optional<OperatingPoint> choice;
  std::string why_not;  // which bound cannot be met, and how close the nearest point comes
};

struct TuneResult {
  OperatingPoint choice;
  OperatingPoint at_default;                   // same device and batch: unlocked clock, default power limit
  std::optional<OperatingPoint> best_default;  // any device and batch within the bounds, at default settings
  double energy_saving = 0;                    // share of the energy per sample of `at_default`
  // Pareto front of latency and energy per sample, by ascending latency, of the points that meet the bounds
  // on throughput and power.
  std::vector<OperatingPoint> front;
  std::vector<DeviceChoice> devices;  // best first; those without a choice last
  std::vector<std::string> notes;     // batches or devices without enough memory
  std::vector<std::string> warnings;  // of the prediction at the choice
};

// Errors: invalid_input if no point meets the bounds (the message has the best value of each bound), for a
// value that no device supports, or for two different devices with one name; out_of_memory if no batch fits;
// a batch that the network does not support.
ERGON_API Result<TuneResult> tune_network(const Network& network, const std::vector<Predictor>& predictors,
                                          const TuneRequest& request = {});

}  // namespace ergon
