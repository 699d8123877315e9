#include "sweep/evaluation/trend.h"

#include <algorithm>

#include "base/statistics/loess.h"

namespace ergon::sweep {
namespace {

Result<statistics::Loess> fitted(std::span<const double> clock_mhz, std::span<const double> values,
                                 const TrendOptions& options) {
  statistics::LoessOptions loess_options;
  loess_options.span = options.span;
  return statistics::Loess::fit(clock_mhz, values, loess_options);
}

}  // namespace

Result<std::vector<TrendPoint>> trend_of(std::span<const double> clock_mhz, std::span<const double> values,
                                         const TrendOptions& options) {
  const auto loess = fitted(clock_mhz, values, options);
  if (!loess) return loess.error();
  std::vector<TrendPoint> trend;
  for (const statistics::LoessPoint& point : loess->curve(options.points))
    // Times, powers and energies are not negative; the band of few points can be.
    trend.push_back({point.x, point.fit, std::max(0.0, point.low), point.high});
  return trend;
}

Result<std::vector<TrendValue>> trend_at_clocks(std::span<const double> clock_mhz,
                                                std::span<const double> values, const TrendOptions& options) {
  const auto loess = fitted(clock_mhz, values, options);
  if (!loess) return loess.error();
  std::vector<TrendValue> trend;
  for (const double clock : clock_mhz) {
    const statistics::LoessPoint point = loess->at(clock);
    trend.push_back({point.fit, point.standard_error});
  }
  return trend;
}

}  // namespace ergon::sweep
