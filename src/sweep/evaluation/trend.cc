#include "sweep/evaluation/trend.h"

#include "base/statistics/loess.h"

namespace ergon::sweep {

Result<std::vector<TrendPoint>> trend_of(std::span<const double> clock_mhz, std::span<const double> values,
                                         const TrendOptions& options) {
  statistics::LoessOptions loess_options;
  loess_options.span = options.span;
  const auto loess = statistics::Loess::fit(clock_mhz, values, loess_options);
  if (!loess) return loess.error();
  std::vector<TrendPoint> trend;
  for (const statistics::LoessPoint& point : loess->curve(options.points))
    trend.push_back({point.x, point.fit, point.low, point.high});
  return trend;
}

}  // namespace ergon::sweep
