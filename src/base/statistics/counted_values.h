#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/statistics/quantile_sketch.h"

namespace ergon::statistics {

// Quantiles of whole numbers: exact while there are few different ones, each counted for itself, and those of
// a sketch beyond. Counts of parts, added in any order, are the counts of the whole.
class CountedValues {
 public:
  static constexpr std::size_t kMostDifferent = std::size_t{1} << 16;

  // Contract: the value is not negative.
  void add(std::int64_t value, std::uint64_t times = 1);
  void merge(const CountedValues& other);

  std::uint64_t count() const { return count_; }
  bool exact() const { return !sketch_; }
  // The values that these shares of all do not exceed, interpolated between neighbours while exact. Contract:
  // shares ascend from 0 to 1. Nothing when there are no values.
  std::optional<std::vector<double>> quantiles(std::span<const double> shares) const;
  std::optional<double> quantile(double share) const;
  // How many lie above `limit`, and by how much in all; within half a percent when not exact.
  struct Above {
    double count = 0, excess = 0;
  };
  Above above(double limit) const;

  friend bool operator==(const CountedValues&, const CountedValues&) = default;

  // For those who store it.
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
