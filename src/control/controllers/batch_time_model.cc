#include "control/controllers/batch_time_model.h"

#include <algorithm>
#include <cmath>

namespace ergon::control {
namespace {

using Weights = BatchTimeModel::Weights;

// Exponent of the smooth maximum, as in device::iteration_time.
constexpr double kPower = 8;
constexpr double kNoise = 0.02;  // standard deviation of log(time)
constexpr std::size_t kMaxSamples = 10;
constexpr int kSteps = 4;

// The logarithm of the time, and d log(time) / d log(kernel time).
struct Evaluated {
  double log_time = 0, kernel_share = 1;
};
Evaluated evaluate_at(const BatchTimeModel::Features& features, const Weights& weights) {
  const double gpu = features.log_kernel_seconds + weights[0] + weights[1] * features.log_batch +
                     weights[2] * features.log_clock;
  if (!features.log_host_seconds) return {gpu, 1};
  const double host = *features.log_host_seconds + weights[3];
  const double ratio = std::exp(kPower * std::clamp(host - gpu, -10.0, 10.0));
  return {gpu + std::log1p(ratio) / kPower, 1 / (1 + ratio)};
}

Weights gradient(const BatchTimeModel::Features& features, double kernel_share) {
  return {kernel_share, kernel_share * features.log_batch, kernel_share * features.log_clock,
          1 - kernel_share};
}

// Solves a x = b for a symmetric positive definite a by elimination.
Weights solved(std::array<Weights, 4> a, Weights b) {
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t row = i + 1; row < 4; ++row) {
      const double factor = a[row][i] / a[i][i];
      for (std::size_t j = i; j < 4; ++j) a[row][j] -= factor * a[i][j];
      b[row] -= factor * b[i];
    }
  }
  for (std::size_t i = 4; i-- > 0;) {
    for (std::size_t j = i + 1; j < 4; ++j) b[i] -= a[i][j] * b[j];
    b[i] /= a[i][i];
  }
  return b;
}

}  // namespace

double BatchTimeModel::predict_log_seconds(const Features& features) const {
  return evaluate_at(features, weights_).log_time;
}

double BatchTimeModel::cost(const Weights& weights) const {
  double sum = 0;
  for (const Sample& each : samples_) {
    const double off = (evaluate_at(each.features, weights).log_time - each.log_time) / kNoise;
    sum += off * off;
  }
  for (std::size_t i = 0; i < 4; ++i) sum += weights[i] * weights[i] / (deviations_[i] * deviations_[i]);
  return sum;
}

Weights BatchTimeModel::gauss_newton_step(const Weights& from) const {
  std::array<Weights, 4> normal{};
  Weights right{};
  for (std::size_t i = 0; i < 4; ++i) {
    const double precision = 1 / (deviations_[i] * deviations_[i]);
    normal[i][i] = precision;
    right[i] = -from[i] * precision;
  }
  for (const Sample& each : samples_) {
    const Evaluated there = evaluate_at(each.features, from);
    const Weights slope = gradient(each.features, there.kernel_share);
    const double off = each.log_time - there.log_time;
    for (std::size_t i = 0; i < 4; ++i) {
      right[i] += slope[i] * off / (kNoise * kNoise);
      for (std::size_t j = 0; j < 4; ++j) normal[i][j] += slope[i] * slope[j] / (kNoise * kNoise);
    }
  }
  Weights to = solved(normal, right);
  for (std::size_t i = 0; i < 4; ++i) to[i] += from[i];
  return to;
}

void BatchTimeModel::add_sample(const Features& features, Seconds time) {
  const double log_time = std::log(time.si());
  const auto same = std::find_if(samples_.begin(), samples_.end(), [&](const Sample& each) {
    return each.features.log_batch == features.log_batch && each.features.log_clock == features.log_clock;
  });
  if (same != samples_.end()) samples_.erase(same);
  if (samples_.size() == kMaxSamples) samples_.erase(samples_.begin());
  samples_.push_back({features, log_time});
  // Start from the previous fit, from the prior, and as if the newest sample were host-bound.
  Weights host_bound{};
  if (features.log_host_seconds) host_bound[3] = log_time - *features.log_host_seconds;
  std::array<Weights, 3> starts{weights_, Weights{}, host_bound};
  double lowest = 0;
  bool any = false;
  for (Weights& at : starts) {
    for (int i = 0; i < kSteps; ++i) {
      const Weights next = gauss_newton_step(at);
      if (cost(next) > cost(at)) break;
      at = next;
    }
    const double here = cost(at);
    if (any && here >= lowest) continue;
    any = true;
    lowest = here;
    weights_ = at;
  }
}

}  // namespace ergon::control
