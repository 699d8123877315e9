#pragma once

#include <array>

namespace ergon::control {

// Bayesian linear regression with four features. Holds a normal distribution over the weights; every sample
// narrows it (recursive least squares).
class BayesianLinearModel {
 public:
  static constexpr std::size_t kSize = 4;
  using Features = std::array<double, kSize>;

  // Prior: independent weights with mean 0 and these standard deviations.
  explicit BayesianLinearModel(const Features& deviations);

  struct Gaussian {
    double mean = 0, deviation = 0;
  };
  Gaussian predict(const Features& features) const;
  double predict_mean(const Features& features) const;

  // `deviation` is the standard deviation of the noise of `value`.
  void add_sample(const Features& features, double value, double deviation);
  // Forgetting: adds `share` of the prior variance to the variance of every weight, up to the prior variance.
  void inflate_variance(double share);

 private:
  Features mean_{};
  std::array<Features, kSize> covariance_{};
  Features prior_deviations_;
};

}  // namespace ergon::control
