#pragma once

#include <array>
#include <cstdint>

#include "base/timestamp.h"
#include "base/units.h"

namespace ergon::fleet {

// Mean power and utilization of a GPU over time, in at most kBins bins. When the bins no longer suffice,
// pairs of bins are merged, so a month needs as much memory as an hour. Bins are aligned to multiples of
// their width since 1970, so bins of different GPUs can be compared.
struct GpuHistory {
  static constexpr std::size_t kBins = 96;
  static constexpr std::int64_t kMinWidth = 4;  // seconds
  static constexpr std::uint64_t kMaxDoublings = 40;

  std::uint64_t doublings = 0;
  std::int64_t first = 0;                        // number of the first bin since 1970
  std::uint64_t samples = 0;                     // with power or utilization
  std::array<double, kBins> watts{}, percent{};  // sums
  std::array<std::uint64_t, kBins> watts_count{}, percent_count{};

  // Samples must arrive in order of time. A missing value is NaN.
  void add(Timestamp at, double power_watts, double utilization_percent);
  bool empty() const { return samples == 0; }
  // Whether the bin numbers are within the range of timestamps; for histories that were read from a file.
  bool is_valid() const;
  Seconds width() const { return Seconds{static_cast<double>(kMinWidth << doublings)}; }
  friend bool operator==(const GpuHistory&, const GpuHistory&) = default;

 private:
  void widen();
};

}  // namespace ergon::fleet
