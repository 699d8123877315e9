#include "base/statistics/two_groups.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "base/statistics/moments.h"

namespace ergon::statistics {
namespace {

double normal_density(double x, const Group& group) {
  const double z = (x - group.mean) / group.deviation;
  return std::exp(-z * z / 2) / (group.deviation * std::sqrt(2 * std::numbers::pi));
}

Group group_of(std::span<const double> members, std::size_t all, double least_deviation) {
  Moments moments;
  for (const double x : members) moments.add(x);
  return {static_cast<double>(members.size()) / static_cast<double>(all), *moments.mean(),
          std::max(least_deviation, moments.standard_deviation().value_or(0))};
}

// Number of sorted values in the lower group of the best split: the one with most variance between the
// groups.
std::size_t best_split(std::span<const double> sorted) {
  double total = 0;
  for (const double x : sorted) total += x;
  const auto n = static_cast<double>(sorted.size());
  double below = 0, best = -1;
  std::size_t split = 1;
  for (std::size_t k = 1; k < sorted.size(); ++k) {
    below += sorted[k - 1];
    if (sorted[k] == sorted[k - 1]) continue;
    const auto count = static_cast<double>(k);
    const double apart = below / count - (total - below) / (n - count);
    const double between = count * (n - count) * apart * apart;
    if (between > best) {
      best = between;
      split = k;
    }
  }
  return split;
}

// One round of expectation maximisation; returns the log likelihood before it.
double refine(std::span<const double> values, Group& low, Group& high, Widths widths,
              double least_deviation) {
  double log_likelihood = 0;
  double weight[2] = {0, 0}, sum[2] = {0, 0}, squares[2] = {0, 0};
  std::vector<double> belongs_low(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double a = low.weight * normal_density(values[i], low);
    const double b = high.weight * normal_density(values[i], high);
    log_likelihood += std::log(std::max(a + b, 1e-300));
    belongs_low[i] = a + b > 0 ? a / (a + b) : (values[i] < (low.mean + high.mean) / 2 ? 1 : 0);
    weight[0] += belongs_low[i];
    weight[1] += 1 - belongs_low[i];
    sum[0] += belongs_low[i] * values[i];
    sum[1] += (1 - belongs_low[i]) * values[i];
  }
  const double mean[2] = {weight[0] > 0 ? sum[0] / weight[0] : low.mean,
                          weight[1] > 0 ? sum[1] / weight[1] : high.mean};
  for (std::size_t i = 0; i < values.size(); ++i) {
    squares[0] += belongs_low[i] * (values[i] - mean[0]) * (values[i] - mean[0]);
    squares[1] += (1 - belongs_low[i]) * (values[i] - mean[1]) * (values[i] - mean[1]);
  }
  const auto n = static_cast<double>(values.size());
  const auto group = [&](int g) {
    double variance = weight[g] > 0 ? squares[g] / weight[g] : 0;
    if (widths == Widths::equal) variance = (squares[0] + squares[1]) / n;
    return Group{weight[g] / n, mean[g], std::max(least_deviation, std::sqrt(variance))};
  };
  low = group(0);
  high = group(1);
  return log_likelihood;
}

// Where the weighted densities cross between the means, by bisection on which group is the likelier.
double crossing(const Group& low, const Group& high) {
  double left = low.mean, right = high.mean;
  const auto low_is_likelier = [&](double x) {
    // In logarithms: between narrow groups both densities are too small for a double.
    const auto log_share = [x](const Group& group) {
      const double z = (x - group.mean) / group.deviation;
      return std::log(group.weight / group.deviation) - z * z / 2;
    };
    return log_share(low) > log_share(high);
  };
  // One group may drown the other even at its own mean; then the middle is as good as any point.
  if (!low_is_likelier(left) || low_is_likelier(right)) return (left + right) / 2;
  for (int i = 0; i < 100; ++i) {
    const double middle = (left + right) / 2;
    (low_is_likelier(middle) ? left : right) = middle;
  }
  return right;
}

}  // namespace

std::optional<TwoGroups> split_in_two(std::span<const double> values, Widths widths) {
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  if (sorted.size() < 4 || sorted.front() == sorted.back()) return std::nullopt;
  const std::size_t split = best_split(sorted);
  // A group of equal values has no width, and a density without width has no bound: half a thousandth of the
  // range.
  const double least_deviation = (sorted.back() - sorted.front()) * 5e-4;
  const std::span all(sorted);

  TwoGroups result{.low = group_of(all.first(split), all.size(), least_deviation),
                   .high = group_of(all.subspan(split), all.size(), least_deviation)};
  double log_likelihood = -HUGE_VAL;
  for (int round = 0; round < 500; ++round) {
    const double next = refine(all, result.low, result.high, widths, least_deviation);
    const bool settled = std::abs(next - log_likelihood) < 1e-9 * (1 + std::abs(next));
    log_likelihood = next;
    if (settled) break;
  }
  if (result.low.mean > result.high.mean) std::swap(result.low, result.high);

  Group whole = group_of(all, all.size(), least_deviation);
  const auto n = static_cast<double>(all.size());
  whole.deviation *= std::sqrt((n - 1) / n);  // the likeliest deviation, as in the mixture
  double log_likelihood_of_one = 0;
  for (const double x : all) log_likelihood_of_one += std::log(std::max(normal_density(x, whole), 1e-300));
  const double log_n = std::log(n);
  const double unknowns = widths == Widths::equal ? 4 : 5;
  result.bic_advantage = (2 * log_n - 2 * log_likelihood_of_one) - (unknowns * log_n - 2 * log_likelihood);
  result.threshold = crossing(result.low, result.high);
  result.separation = std::numbers::sqrt2 * (result.high.mean - result.low.mean) /
                      std::hypot(result.low.deviation, result.high.deviation);
  return result;
}

}  // namespace ergon::statistics
