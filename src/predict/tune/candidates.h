#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "predict/predictor.h"
#include "predict/tune/operating_point.h"

namespace ergon::predict {

// A batch that does not fit into device memory.
struct ExcludedBatch {
  std::int64_t batch = 1;
  std::string reason;
};

// A network on one device at every batch that fits.
struct TuneTarget {
  device::Specification gpu;
  std::vector<PreparedNetwork> networks;  // one per batch, ascending
  std::vector<ExcludedBatch> excluded;
};

// `iterations`: the network at each batch, ascending. Errors: no batch fits.
Result<TuneTarget> tune_target_of(const Predictor& predictor, std::span<const Iteration> iterations);

// Clocks and power limits to try.
struct SearchSpace {
  std::optional<Hertz> min_clock, max_clock;  // absent: the GPU's range
  bool lock_clocks = true;                    // false: default clock only
  std::optional<std::vector<Watts>> limits;   // besides the default; absent: see limits_of
};

// Power limits to try, the default first. Limits in `space` that the GPU does not support are ignored. If
// `space` has none: the highest, and evenly spaced ones if clocks cannot be locked. With locked clocks a
// lower limit has the effect of a lower clock, but the clock it leads to depends on the predicted power.
std::vector<Watts> limits_of(const device::Specification& gpu, const SearchSpace& space);

// All distinct operating points. The order breaks ties: small batches first, then the default limit, then the
// default clock, then low clocks.
//
// Clocks that the power limit prevents, and limits that do not lower the clock, are not separate points.
// Points that exceed their power limit are excluded, and so is the default clock if `max_clock` is below the
// GPU's highest. Errors: no clock in the range; every point exceeds its limit.
Result<std::vector<OperatingPoint>> candidates_of(const TuneTarget& target, const SearchSpace& space);

// Default clock and default power limit.
OperatingPoint default_point(const TuneTarget& target, const PreparedNetwork& prepared);

}  // namespace ergon::predict
