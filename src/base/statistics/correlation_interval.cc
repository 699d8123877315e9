#include "base/statistics/correlation_interval.h"

#include <vector>

#include "base/statistics/bootstrap.h"
#include "base/statistics/correlation.h"

namespace ergon::statistics {
namespace {

constexpr std::size_t kMaxResampled = 5000;
constexpr int kCorrelationResamples = 1000;

std::optional<double> correlation_of(CorrelationKind kind, std::span<const double> x,
                                     std::span<const double> y) {
  return kind == CorrelationKind::pearson ? pearson(x, y) : spearman(x, y);
}

}  // namespace

IntervalMethod correlation_interval_method(std::size_t pairs) {
  return pairs > kMaxResampled ? IntervalMethod::fisher : IntervalMethod::bootstrap;
}

std::string_view name_of(IntervalMethod method) {
  return method == IntervalMethod::fisher ? "Fisher's z" : "bootstrap";
}

std::optional<Interval> correlation_interval(CorrelationKind kind, std::span<const double> x,
                                             std::span<const double> y, std::uint64_t seed,
                                             const std::stop_token& stop) {
  if (correlation_interval_method(x.size()) == IntervalMethod::fisher) {
    const auto estimate = correlation_of(kind, x, y);
    if (!estimate) return std::nullopt;
    const double widening = kind == CorrelationKind::pearson ? 1 : kSpearmanWidening;
    return fisher_interval(*estimate, x.size(), widening);
  }
  std::vector<double> resampled_x, resampled_y;
  const auto of_indices = [&](std::span<const std::size_t> indices) {
    resampled_x.clear();
    resampled_y.clear();
    for (const std::size_t i : indices) {
      resampled_x.push_back(x[i]);
      resampled_y.push_back(y[i]);
    }
    return correlation_of(kind, resampled_x, resampled_y);
  };
  return bootstrap(x.size(), of_indices, {.resamples = kCorrelationResamples, .seed = seed, .stop = stop});
}

}  // namespace ergon::statistics
