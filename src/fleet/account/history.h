#pragma once

#include <array>
#include <cstdint>

#include "base/timestamp.h"
#include "base/units.h"

namespace ergon::fleet {

// A GPU's power and utilisation over time, in means of so many seconds. There are never more than kBins: when
// they do not reach, two become one, so that a month takes no more room than an hour. Bins lie at multiples
// of their width since 1970, so that those of different GPUs can be laid side by side.
struct History {
  static constexpr std::size_t kBins = 96;
  static constexpr std::int64_t kNarrowest = 4;  // seconds
  static constexpr std::uint64_t kMostDoublings = 40;

  std::uint64_t doublings = 0;
  std::int64_t first = 0;                        // the number of the first bin
  std::uint64_t samples = 0;                     // that told something
  std::array<double, kBins> watts{}, percent{};  // sums
  std::array<std::uint64_t, kBins> watts_count{}, percent_count{};

  // In the order of time. What is absent is NaN.
  void add(Timestamp at, double power_watts, double utilisation_percent);
  bool empty() const { return samples == 0; }
  // Whether numbers from elsewhere can be those of a history.
  bool sensible() const;
  Seconds width() const { return Seconds{static_cast<double>(kNarrowest << doublings)}; }
  friend bool operator==(const History&, const History&) = default;

 private:
  void widen();
};

}  // namespace ergon::fleet
