#include "base/statistics/correlation.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/contract.h"
#include "base/statistics/distributions.h"
#include "base/statistics/mean.h"

namespace ergon::statistics {

std::optional<double> pearson(std::span<const double> x, std::span<const double> y) {
  ERGON_EXPECTS(x.size() == y.size());
  if (x.size() < 2) return std::nullopt;
  const double mean_x = mean_of(x);
  const double mean_y = mean_of(y);
  double xx = 0, yy = 0, xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double dx = x[i] - mean_x;
    const double dy = y[i] - mean_y;
    xx += dx * dx;
    yy += dy * dy;
    xy += dx * dy;
  }
  if (xx == 0 || yy == 0 || !std::isfinite(xx) || !std::isfinite(yy)) return std::nullopt;
  return std::clamp(xy / (std::sqrt(xx) * std::sqrt(yy)), -1.0, 1.0);
}

std::vector<double> ranks(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<double> rank(values.size());
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin + 1;
    while (end < order.size() && values[order[end]] == values[order[begin]]) ++end;
    const double shared = static_cast<double>(begin + 1 + end) / 2;
    for (std::size_t i = begin; i < end; ++i) rank[order[i]] = shared;
    begin = end;
  }
  return rank;
}

Interval fisher_interval(double correlation, std::size_t count, double widening, double confidence) {
  ERGON_EXPECTS(count > 3 && confidence > 0 && confidence < 1);
  const double z = std::atanh(correlation);
  const double reach =
      normal_quantile(0.5 + confidence / 2) * widening / std::sqrt(static_cast<double>(count - 3));
  return {correlation, std::tanh(z - reach), std::tanh(z + reach)};
}

std::optional<double> spearman(std::span<const double> x, std::span<const double> y) {
  ERGON_EXPECTS(x.size() == y.size());
  return pearson(ranks(x), ranks(y));
}

}  // namespace ergon::statistics
