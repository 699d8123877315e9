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
  std::stop_token stop = {};  // the result is absent once a stop was requested
};

// A statistic of the observations with the given indices (repeats allowed); absent or not finite where it is
// undefined.
using IndexStatistic = std::function<std::optional<double>(std::span<const std::size_t>)>;

// Confidence interval of a statistic of `count` observations: the bias-corrected and accelerated bootstrap of
// Efron (1987). Resamples on which the statistic is undefined are skipped. Absent if it is undefined on the
// observations themselves or on most resamples.
std::optional<Interval> bootstrap(std::size_t count, const IndexStatistic& given,
                                  const BootstrapOptions& options);

}  // namespace ergon::statistics
