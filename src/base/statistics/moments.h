#pragma once

#include <cstdint>
#include <optional>

namespace ergon::statistics {

// Mean and variance of a stream in constant memory, by Welford's update, which does not cancel when the mean
// is large against the spread. Two streams merge as if they had been one (Chan, Golub and LeVeque 1979).
class Moments {
 public:
  void add(double x);
  void merge(const Moments& other);

  std::uint64_t count() const { return count_; }
  std::optional<double> mean() const;
  std::optional<double> min() const;
  std::optional<double> max() const;
  // Sample variance (divided by n - 1); needs two values.
  std::optional<double> variance() const;
  std::optional<double> standard_deviation() const;
  // Standard deviation of the mean.
  std::optional<double> standard_error() const;
  // Standard deviation over |mean|; absent when the mean is zero.
  std::optional<double> coefficient_of_variation() const;

 private:
  std::uint64_t count_ = 0;
  double mean_ = 0;
  double squares_ = 0;  // sum of squared distances from the mean
  double min_ = 0;
  double max_ = 0;
};

}  // namespace ergon::statistics
