#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>

#include "base/statistics/interval.h"

namespace ergon::statistics {

struct BootstrapOptions {
  int resamples = 2000;
  double confidence = 0.95;
  std::uint64_t seed = 1;
  std::stop_token stop = {};  // then the answer is absent
};

// A statistic of the observations with the given indices (repeats allowed); absent, or not finite, where it
// is not defined.
using IndexStatistic = std::function<std::optional<double>(std::span<const std::size_t>)>;

// How far a statistic of `count` observations may be off, from what it says about samples drawn from them
// with replacement: the bias-corrected and accelerated interval of Efron (1987). Resamples on which the
// statistic is not defined are left out. Absent if it is not defined on the observations themselves or on
// most resamples.
std::optional<Interval> bootstrap(std::size_t count, const IndexStatistic& given,
                                  const BootstrapOptions& options);

// The same for a statistic of plain values.
std::optional<Interval> bootstrap_values(
    std::span<const double> values,
    const std::function<std::optional<double>(std::span<const double>)>& statistic,
    const BootstrapOptions& options);

}  // namespace ergon::statistics
