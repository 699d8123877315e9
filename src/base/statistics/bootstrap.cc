#include "base/statistics/bootstrap.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "base/contract.h"
#include "base/random.h"
#include "base/statistics/distributions.h"
#include "base/statistics/mean.h"
#include "base/statistics/quantile.h"

namespace ergon::statistics {
namespace {

// The acceleration: how the variance of the statistic depends on its value, from the jackknife. With many
// observations, a hundred evenly spaced ones are used.
double acceleration(std::size_t count, const IndexStatistic& statistic) {
  const std::size_t step = std::max<std::size_t>(1, count / 100);
  std::vector<double> leave_one_out;
  for (std::size_t out = 0; out < count; out += step) {
    std::vector<std::size_t> kept;
    kept.reserve(count - 1);
    for (std::size_t i = 0; i < count; ++i) {
      if (i != out) kept.push_back(i);
    }
    if (const auto value = statistic(kept)) leave_one_out.push_back(*value);
  }
  if (leave_one_out.size() < 3) return 0;
  const double mean = mean_of(leave_one_out);
  double squares = 0, cubes = 0;
  for (const double value : leave_one_out) {
    squares += (mean - value) * (mean - value);
    cubes += (mean - value) * (mean - value) * (mean - value);
  }
  // Both sums are scaled to all observations.
  const double share = static_cast<double>(leave_one_out.size()) / static_cast<double>(count);
  return squares > 0 ? cubes / (6 * std::pow(squares, 1.5)) * std::sqrt(share) : 0;
}

}  // namespace

std::optional<Interval> bootstrap(std::size_t count, const IndexStatistic& given,
                                  const BootstrapOptions& options) {
  const IndexStatistic statistic = [&given](std::span<const std::size_t> indices) {
    const auto value = given(indices);
    return value && std::isfinite(*value) ? value : std::nullopt;
  };
  ERGON_EXPECTS(options.resamples > 0 && options.confidence > 0 && options.confidence < 1);
  if (count == 0) return std::nullopt;
  std::vector<std::size_t> indices(count);
  std::iota(indices.begin(), indices.end(), std::size_t{0});
  const auto estimate = statistic(indices);
  if (!estimate) return std::nullopt;

  Random random(options.seed);
  std::vector<double> drawn;
  for (int i = 0; i < options.resamples; ++i) {
    if (options.stop.stop_requested()) return std::nullopt;
    for (std::size_t& index : indices) index = random.below(count);
    if (const auto value = statistic(indices)) drawn.push_back(*value);
  }
  if (drawn.size() * 2 < static_cast<std::size_t>(options.resamples)) return std::nullopt;
  std::sort(drawn.begin(), drawn.end());

  // Share of resamples below the estimate. Ties count half; the share is kept away from 0 and 1.
  const auto below =
      static_cast<double>(std::lower_bound(drawn.begin(), drawn.end(), *estimate) - drawn.begin());
  const auto not_above =
      static_cast<double>(std::upper_bound(drawn.begin(), drawn.end(), *estimate) - drawn.begin());
  const auto total = static_cast<double>(drawn.size());
  const double share = std::clamp((below + not_above) / 2 / total, 0.5 / total, 1 - 0.5 / total);
  const double bias = normal_quantile(share);
  const double skew = acceleration(count, statistic);
  const auto corrected = [&](double p) {
    const double z = bias + normal_quantile(p);
    const double corrected_p = normal_cdf(bias + z / (1 - skew * z));
    return *quantile_of_sorted(drawn, std::clamp(corrected_p, 0.0, 1.0));
  };
  const double tail = (1 - options.confidence) / 2;
  return Interval{*estimate, corrected(tail), corrected(1 - tail)};
}

}  // namespace ergon::statistics
