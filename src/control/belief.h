#pragma once

#include <array>

namespace ergon::control {

// A quantity that follows a few features linearly, as far as is known: a normal distribution over the
// weights, made narrower by every observation (recursive least squares).
class Belief {
 public:
  static constexpr std::size_t kSize = 4;
  using Features = std::array<double, kSize>;

  // All weights around 0, so far off.
  explicit Belief(const Features& deviations);

  struct Guess {
    double value = 0, deviation = 0;
  };
  Guess at(const Features& features) const;
  double value_at(const Features& features) const;
  void see(const Features& features, double value, double deviation);
  // What was learned wears out: weights may have moved by so much of how far off they could be at first (a
  // share of the variance).
  void doubt(double share);

 private:
  Features mean_{};
  std::array<Features, kSize> covariance_{};
  Features began_;
};

}  // namespace ergon::control
