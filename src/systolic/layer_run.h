#pragma once

#include <cstdint>
#include <string>

#include "systolic/replay/layer_timing.h"

namespace ergon::systolic {

// What is known of one layer after a simulation.
struct LayerRun {
  std::string name;
  std::int64_t macs = 0;
  std::int64_t units = 0;          // of the array
  double mapping_efficiency = 0;   // percent of the units that a fold uses, mean over folds
  double compute_utilization = 0;  // percent of the units' time in a fold, mean over folds, without stalls
  LayerTiming timing;

  friend bool operator==(const LayerRun&, const LayerRun&) = default;

  // Percent of all the units' cycles that multiply.
  double overall_utilization() const {
    return static_cast<double>(macs) * 100 /
           (static_cast<double>(timing.total_cycles) * static_cast<double>(units));
  }
};

}  // namespace ergon::systolic
