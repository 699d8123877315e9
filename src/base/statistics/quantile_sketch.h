#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>

namespace ergon::statistics {

// Approximate quantiles in bounded memory, with a relative error of at most 0.5 %. Values are counted in
// logarithmic buckets that are 1 % wide, so merging sketches in any order gives the sketch of all values.
class QuantileSketch {
 public:
  // Contract: the value is finite and not negative; the weight is positive, and an integer if merging has to
  // be exact.
  void add(double value, double weight = 1);
  void merge(const QuantileSketch& other);

  double count() const { return count_; }
  // The quantile at `share`; absent when the sketch is empty. Contract: 0 <= share <= 1.
  std::optional<double> quantile(double share) const;

  // Calls visit(value, weight) for every bucket in ascending order.
  void each(const std::function<void(double value, double weight)>& visit) const;

  friend bool operator==(const QuantileSketch&, const QuantileSketch&) = default;

  // For serialization: counts by bucket, and the count of zeros.
  const std::map<std::int32_t, double>& buckets() const { return buckets_; }
  double zeros() const { return zeros_; }
  static QuantileSketch of(std::map<std::int32_t, double> buckets, double zeros);

 private:
  std::map<std::int32_t, double> buckets_;
  double zeros_ = 0, count_ = 0;
};

}  // namespace ergon::statistics
