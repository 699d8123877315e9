#include "control/controllers/bayesian_linear_model.h"

#include <algorithm>
#include <cmath>

namespace ergon::control {
namespace {

double dot(const BayesianLinearModel::Features& a, const BayesianLinearModel::Features& b) {
  double sum = 0;
  for (std::size_t i = 0; i < BayesianLinearModel::kSize; ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

BayesianLinearModel::BayesianLinearModel(const Features& deviations) : prior_deviations_(deviations) {
  for (std::size_t i = 0; i < kSize; ++i) covariance_[i][i] = deviations[i] * deviations[i];
}

double BayesianLinearModel::predict_mean(const Features& features) const { return dot(mean_, features); }

BayesianLinearModel::Gaussian BayesianLinearModel::predict(const Features& features) const {
  double variance = 0;
  for (std::size_t i = 0; i < kSize; ++i) variance += features[i] * dot(covariance_[i], features);
  return {dot(mean_, features), std::sqrt(std::max(0.0, variance))};
}

void BayesianLinearModel::add_sample(const Features& features, double value, double deviation) {
  Features carried{};
  for (std::size_t i = 0; i < kSize; ++i) carried[i] = dot(covariance_[i], features);
  const double total = dot(features, carried) + deviation * deviation;
  const double error = value - dot(mean_, features);
  for (std::size_t i = 0; i < kSize; ++i) {
    mean_[i] += carried[i] * error / total;
    for (std::size_t j = 0; j < kSize; ++j) covariance_[i][j] -= carried[i] * carried[j] / total;
  }
}

void BayesianLinearModel::inflate_variance(double share) {
  for (std::size_t i = 0; i < kSize; ++i) {
    const double prior = prior_deviations_[i] * prior_deviations_[i];
    covariance_[i][i] = std::max(covariance_[i][i], std::min(covariance_[i][i] + share * prior, prior));
  }
}

}  // namespace ergon::control
