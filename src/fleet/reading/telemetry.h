#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "base/timestamp.h"

namespace ergon::fleet {

using Code = std::uint32_t;
inline constexpr Code kNobody = std::numeric_limits<Code>::max();

// What a GPU shows. The order is that of everything that is kept per metric.
enum class Metric : std::uint8_t { power, temperature, utilisation, memory };
inline constexpr std::size_t kMetrics = 4;
inline constexpr std::array<Metric, kMetrics> kAllMetrics{Metric::power, Metric::temperature,
                                                          Metric::utilisation, Metric::memory};
inline constexpr std::array<std::string_view, kMetrics> kMetricNames{"power", "temperature", "utilisation",
                                                                     "memory"};
template <typename T>
using PerMetric = std::array<T, kMetrics>;  // W, degrees Celsius, percent, percent

// A moment that a program noted: an event of a task began or ended on a host. Names are codes of what the
// readers have met.
struct Checkpoint {
  Timestamp at;
  std::uint64_t task = 0;   // a hash of its job and its name: tasks are many
  std::uint64_t place = 0;  // where its name stands in the text
  Code host = kNobody;
  std::uint16_t event = 0;
  std::uint8_t level = 0;  // 0 where nobody said
  bool start = false;
};
static_assert(sizeof(Checkpoint) == 32);

// What a GPU's driver said at a moment; NaN where it said nothing or nonsense.
struct Sample {
  Timestamp at;
  double power_watts = 0;
  float temperature_celsius = 0;
  float utilisation_percent = 0;
  float memory_percent = 0;
  Code gpu = kNobody;

  PerMetric<double> values() const {
    return {power_watts, temperature_celsius, utilisation_percent, memory_percent};
  }
};
static_assert(sizeof(Sample) == 32);

// A GPU, and where it is. One that moved to another host is another.
struct Gpu {
  Code host = kNobody;
  std::string uuid, serial;
};

}  // namespace ergon::fleet
