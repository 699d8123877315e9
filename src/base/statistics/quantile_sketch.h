#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>

namespace ergon::statistics {

// Quantiles of more values than anybody wants to keep, each within half a percent of itself. Values of a
// percent's width share a count, so that sketches of parts, added in any order, are the sketch of the whole.
class QuantileSketch {
 public:
  // Contract: the value is finite and not negative; the weight is above 0, and a whole number where merging
  // has to be exact.
  void add(double value, double weight = 1);
  void merge(const QuantileSketch& other);

  double count() const { return count_; }
  // The value that a share of all does not exceed; nothing when there are none. Contract: 0 <= share <= 1.
  std::optional<double> quantile(double share) const;

  // Calls visit(value, weight) for what shares a count, from the least.
  void each(const std::function<void(double value, double weight)>& visit) const;

  friend bool operator==(const QuantileSketch&, const QuantileSketch&) = default;

  // For those who store it: counts by bucket, and of zeros.
  const std::map<std::int32_t, double>& buckets() const { return buckets_; }
  double zeros() const { return zeros_; }
  static QuantileSketch of(std::map<std::int32_t, double> buckets, double zeros);

 private:
  std::map<std::int32_t, double> buckets_;
  double zeros_ = 0, count_ = 0;
};

}  // namespace ergon::statistics
