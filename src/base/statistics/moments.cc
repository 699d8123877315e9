#include "base/statistics/moments.h"

#include <algorithm>
#include <cmath>

namespace ergon::statistics {

void Moments::add(double x) {
  min_ = count_ == 0 ? x : std::min(min_, x);
  max_ = count_ == 0 ? x : std::max(max_, x);
  ++count_;
  const double from_old_mean = x - mean_;
  mean_ += from_old_mean / static_cast<double>(count_);
  squares_ += from_old_mean * (x - mean_);
}

void Moments::merge(const Moments& other) {
  if (other.count_ == 0) return;
  if (count_ == 0) {
    *this = other;
    return;
  }
  const auto a = static_cast<double>(count_);
  const auto b = static_cast<double>(other.count_);
  const double apart = other.mean_ - mean_;
  mean_ += apart * (b / (a + b));
  squares_ += other.squares_ + apart * apart * (a * b / (a + b));
  count_ += other.count_;
  min_ = std::min(min_, other.min_);
  max_ = std::max(max_, other.max_);
}

std::optional<double> Moments::mean() const { return count_ == 0 ? std::nullopt : std::optional(mean_); }
std::optional<double> Moments::min() const { return count_ == 0 ? std::nullopt : std::optional(min_); }
std::optional<double> Moments::max() const { return count_ == 0 ? std::nullopt : std::optional(max_); }

std::optional<double> Moments::variance() const {
  if (count_ < 2) return std::nullopt;
  return squares_ / static_cast<double>(count_ - 1);
}

std::optional<double> Moments::standard_deviation() const {
  const auto squared = variance();
  return squared ? std::optional(std::sqrt(*squared)) : std::nullopt;
}

std::optional<double> Moments::standard_error() const {
  const auto deviation = standard_deviation();
  return deviation ? std::optional(*deviation / std::sqrt(static_cast<double>(count_))) : std::nullopt;
}

std::optional<double> Moments::coefficient_of_variation() const {
  const auto deviation = standard_deviation();
  if (!deviation || mean_ == 0) return std::nullopt;
  return *deviation / std::abs(mean_);
}

}  // namespace ergon::statistics
