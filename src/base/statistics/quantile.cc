#include "base/statistics/quantile.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/contract.h"

namespace ergon::statistics {

std::optional<double> quantile_of_sorted(std::span<const double> ascending, double p) {
  ERGON_EXPECTS(p >= 0 && p <= 1);
  if (ascending.empty()) return std::nullopt;
  const double position = p * static_cast<double>(ascending.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const double fraction = position - static_cast<double>(below);
  if (fraction == 0 || ascending[below] == ascending[below + 1]) return ascending[below];
  return ascending[below] + fraction * (ascending[below + 1] - ascending[below]);
}

std::optional<double> quantile(std::span<const double> values, double p) {
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  return quantile_of_sorted(sorted, p);
}

std::optional<double> median(std::span<const double> values) { return quantile(values, 0.5); }

}  // namespace ergon::statistics
