#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/statistics/quantile_sketch.h"

namespace ergon::statistics {

// Quantiles of integers: exact counts while there are few distinct values, a QuantileSketch beyond. Merging
// in any order gives the counts of all values.
class CountedValues {
 public:
  static constexpr std::size_t kMaxDifferent = std::size_t{1} << 16;

  // Contract: the value is not negative.
  void add(std::int64_t value, std::uint64_t times = 1);
  void merge(const CountedValues& other);

  std::uint64_t count() const { return count_; }
  bool exact() const { return !sketch_; }
  // The quantiles at `shares`, interpolated between adjacent values while exact. Absent without values.
  // Contract: shares ascend from 0 to 1.
  std::optional<std::vector<double>> quantiles(std::span<const double> shares) const;
  std::optional<double> quantile(double share) const;
  // How many values exceed `limit`, and the sum of their excess; within 0.5 % when not exact.
  struct Above {
    double count = 0, excess = 0;
  };
  Above above(double limit) const;

  friend bool operator==(const CountedValues&, const CountedValues&) = default;

  // For serialization.
  std::vector<std::pair<std::int64_t, std::uint64_t>> counts() const;  // ascending
  const std::optional<QuantileSketch>& sketch() const { return sketch_; }
  static CountedValues of(const QuantileSketch& sketch);

 private:
  void coarsen();

  std::unordered_map<std::int64_t, std::uint64_t> counts_;
  std::optional<QuantileSketch> sketch_;  // then counts_ is empty
  std::uint64_t count_ = 0;
};

}  // namespace ergon::statistics
