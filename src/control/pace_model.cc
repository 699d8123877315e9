#include "control/pace_model.h"

#include <algorithm>
#include <cmath>

namespace ergon::control {
namespace {

using Weights = PaceModel::Weights;

// As sharply as in device::pace.
constexpr double kPower = 8;
constexpr double kNoise = 0.02;
constexpr std::size_t kKept = 10;
constexpr int kSteps = 4;

// The logarithm of the time, and how much of it the kernels are.
struct Paced {
  double log_time = 0, kernels = 1;
};
Paced paced(const PaceModel::Place& place, const Weights& weights) {
  const double gpu = place.gpu + weights[0] + weights[1] * place.batch + weights[2] * place.clock;
  if (!place.host) return {gpu, 1};
  const double host = *place.host + weights[3];
  const double ratio = std::exp(kPower * std::clamp(host - gpu, -10.0, 10.0));
  return {gpu + std::log1p(ratio) / kPower, 1 / (1 + ratio)};
}

Weights gradient(const PaceModel::Place& place, double kernels) {
  return {kernels, kernels * place.batch, kernels * place.clock, 1 - kernels};
}

// Solves a x = b for a symmetric, positive a, in place.
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

double PaceModel::log_time_at(const Place& place) const { return paced(place, weights_).log_time; }

double PaceModel::cost(const Weights& weights) const {
  double sum = 0;
  for (const Timed& each : timed_) {
    const double off = (paced(each.place, weights).log_time - each.log_time) / kNoise;
    sum += off * off;
  }
  for (std::size_t i = 0; i < 4; ++i) sum += weights[i] * weights[i] / (deviations_[i] * deviations_[i]);
  return sum;
}

Weights PaceModel::improved(const Weights& from) const {
  std::array<Weights, 4> normal{};
  Weights right{};
  for (std::size_t i = 0; i < 4; ++i) {
    const double held = 1 / (deviations_[i] * deviations_[i]);
    normal[i][i] = held;
    right[i] = -from[i] * held;
  }
  for (const Timed& each : timed_) {
    const Paced there = paced(each.place, from);
    const Weights slope = gradient(each.place, there.kernels);
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

void PaceModel::see(const Place& place, double seconds) {
  const auto same = std::find_if(timed_.begin(), timed_.end(), [&](const Timed& each) {
    return each.place.batch == place.batch && each.place.clock == place.clock;
  });
  if (same != timed_.end()) timed_.erase(same);
  if (timed_.size() == kKept) timed_.erase(timed_.begin());
  timed_.push_back({place, std::log(seconds)});
  // As if the host set the pace of the newest, as if it did not, and from what was thought before.
  Weights waiting{};
  if (place.host) waiting[3] = std::log(seconds) - *place.host;
  std::array<Weights, 3> starts{weights_, Weights{}, waiting};
  double least = 0;
  bool any = false;
  for (Weights& at : starts) {
    for (int i = 0; i < kSteps; ++i) {
      const Weights next = improved(at);
      if (cost(next) > cost(at)) break;
      at = next;
    }
    const double here = cost(at);
    if (any && here >= least) continue;
    any = true;
    least = here;
    weights_ = at;
  }
}

}  // namespace ergon::control
