#pragma once

// Finds the operating point that minimizes an objective, by exhaustive search: about 200 clocks, a few power
// limits and all batches, on every device. One prediction takes less than a microsecond.
//
// Default settings are the default clock and the default power limit. The choice is compared with default
// settings on the same device at the same batch, so that the saving is due to clock and limit alone. It is
// also compared with the best default settings that meet the bounds on any device at any batch.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "predict/tune/bounds.h"
#include "predict/tune/candidates.h"
#include "predict/tune/latency_tradeoff.h"
#include "predict/tune/objective.h"

namespace ergon::predict {

struct TuneRequest {
  Objective objective = Objective::energy;
  Bounds bounds;
  Prices prices;
  SearchSpace space;
};

struct DeviceTuneResult {
  std::string device;
  std::optional<OperatingPoint> choice;
  std::optional<OperatingPoint> at_default;    // same batch as the choice
  std::optional<Infeasibility> infeasibility;  // if there is no choice
  std::size_t candidates = 0;
  std::vector<std::string> warnings;  // of the prediction at the choice's batch
  std::vector<ExcludedBatch> excluded;
};

struct TuneResult {
  OperatingPoint choice;
  OperatingPoint at_default;                   // same device and batch as the choice
  std::optional<OperatingPoint> best_default;  // any device and batch, within the bounds; absent if none is
  double energy_saving = 0;                    // relative to at_default
  std::vector<DeviceTuneResult> devices;       // best first; those without a choice last
  std::vector<OperatingPoint> front;           // Pareto front of points that meet throughput and power bounds
  std::vector<LatencyTradeoff> more_latency, less_latency;
  std::optional<OperatingPoint> next_cheaper;  // at any higher latency
  // Other devices whose 90 % interval of the objective overlaps that of the choice: their order is not
  // certain.
  std::vector<std::string> not_distinguished;
};

// Errors: no point meets the bounds (the message has the nearest point and the best value of each bound);
// errors of candidates_of. Contract: `targets` is not empty and has distinct devices; Objective::price needs
// prices.
Result<TuneResult> tune(std::span<const TuneTarget> targets, const TuneRequest& request);

}  // namespace ergon::predict
