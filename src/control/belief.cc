#include "control/belief.h"

#include <algorithm>
#include <cmath>

namespace ergon::control {
namespace {

double dot(const Belief::Features& a, const Belief::Features& b) {
  double sum = 0;
  for (std::size_t i = 0; i < Belief::kSize; ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

Belief::Belief(const Features& deviations) : began_(deviations) {
  for (std::size_t i = 0; i < kSize; ++i) covariance_[i][i] = deviations[i] * deviations[i];
}

double Belief::value_at(const Features& features) const { return dot(mean_, features); }

Belief::Guess Belief::at(const Features& features) const {
  double variance = 0;
  for (std::size_t i = 0; i < kSize; ++i) variance += features[i] * dot(covariance_[i], features);
  return {dot(mean_, features), std::sqrt(std::max(0.0, variance))};
}

void Belief::see(const Features& features, double value, double deviation) {
  Features carried{};
  for (std::size_t i = 0; i < kSize; ++i) carried[i] = dot(covariance_[i], features);
  const double total = dot(features, carried) + deviation * deviation;
  const double surprise = value - dot(mean_, features);
  for (std::size_t i = 0; i < kSize; ++i) {
    mean_[i] += carried[i] * surprise / total;
    for (std::size_t j = 0; j < kSize; ++j) covariance_[i][j] -= carried[i] * carried[j] / total;
  }
}

void Belief::doubt(double share) {
  for (std::size_t i = 0; i < kSize; ++i) {
    const double began = began_[i] * began_[i];
    covariance_[i][i] = std::max(covariance_[i][i], std::min(covariance_[i][i] + share * began, began));
  }
}

}  // namespace ergon::control
