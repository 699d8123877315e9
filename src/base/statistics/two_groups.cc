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

Group group_of(std::span<const double> members, std::size_t all, double min_deviation) {
  Moments moments;
  for (const double x : members) moments.add(x);
  return {static_cast<double>(members.size()) / static_cast<double>(all), *moments.mean(),
          std::max(min_deviation, moments.standard_deviation().value_or(0))};
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

// One round of expectation maximization; returns the log likelihood before it.
double refine(std::span<const double> values, Group& low, Group& high, GroupVariances variances,
              double min_deviation) {
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
    if (variances == GroupVariances::equal) variance = (squares[0] + squares[1]) / n;
    return Group{weight[g] / n, mean[g], std::max(min_deviation, std::sqrt(variance))};
  };
  low = group(0);
  high = group(1);
  return log_likelihood;
}

// Where the weighted densities cross between the means, by bisection.
double crossing(const Group& low, const Group& high) {
  double left = low.mean, right = high.mean;
  const auto low_is_likelier = [&](double x) {
    // In logarithms, because between narrow groups both densities underflow.
    const auto log_share = [x](const Group& group) {
      const double z = (x - group.mean) / group.deviation;
      return std::log(group.weight / group.deviation) - z * z / 2;
    };
    return log_share(low) > log_share(high);
  };
  // One group may dominate even at the mean of the other; then use the middle.
  if (!low_is_likelier(left) || low_is_likelier(right)) return (left + right) / 2;
  for (int i = 0; i < 100; ++i) {
    const double middle = (left + right) / 2;
    (low_is_likelier(middle) ? left : right) = middle;
  }
  return right;
}

}  // namespace

std::optional<TwoGroups> split_in_two(std::span<const double> values, GroupVariances variances) {
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  if (sorted.size() < 4 || sorted.front() == sorted.back()) return std::nullopt;
  const std::size_t split = best_split(sorted);
  // A group of equal values has zero variance and unbounded density; use at least 0.05 % of the range.
  const double min_deviation = (sorted.back() - sorted.front()) * 5e-4;
  const std::span all(sorted);

  TwoGroups result{.low = group_of(all.first(split), all.size(), min_deviation),
                   .high = group_of(all.subspan(split), all.size(), min_deviation)};
  double log_likelihood = -HUGE_VAL;
  for (int round = 0; round < 500; ++round) {
    const double next = refine(all, result.low, result.high, variances, min_deviation);
    const bool settled = std::abs(next - log_likelihood) < 1e-9 * (1 + std::abs(next));
    log_likelihood = next;
    if (settled) break;
  }
  if (result.low.mean > result.high.mean) std::swap(result.low, result.high);

  Group whole = group_of(all, all.size(), min_deviation);
  const auto n = static_cast<double>(all.size());
  whole.deviation *= std::sqrt((n - 1) / n);  // the maximum likelihood estimate, as in the mixture
  double log_likelihood_of_one = 0;
  for (const double x : all) log_likelihood_of_one += std::log(std::max(normal_density(x, whole), 1e-300));
  const double log_n = std::log(n);
  const double unknowns = variances == GroupVariances::equal ? 4 : 5;
  result.bic_advantage = (2 * log_n - 2 * log_likelihood_of_one) - (unknowns * log_n - 2 * log_likelihood);
  result.threshold = crossing(result.low, result.high);
  result.separation = std::numbers::sqrt2 * (result.high.mean - result.low.mean) /
                      std::hypot(result.low.deviation, result.high.deviation);
  return result;
}

}  // namespace ergon::statistics
