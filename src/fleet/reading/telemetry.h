#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "base/timestamp.h"

namespace ergon::fleet {

using Code = std::uint32_t;
inline constexpr Code kNoCode = std::numeric_limits<Code>::max();

// Metrics of a GPU. PerMetric arrays are in this order.
enum class Metric : std::uint8_t { power, temperature, utilization, memory };
inline constexpr std::size_t kMetrics = 4;
inline constexpr std::array<Metric, kMetrics> kAllMetrics{Metric::power, Metric::temperature,
                                                          Metric::utilization, Metric::memory};
inline constexpr std::array<std::string_view, kMetrics> kMetricNames{"power", "temperature", "utilization",
                                                                     "memory"};
inline constexpr std::array<std::string_view, kMetrics> kMetricUnits{"W", "C", "%", "%"};
template <typename T>
using PerMetric = std::array<T, kMetrics>;  // W, degrees Celsius, percent, percent

// A START or STOP line: an event of a task began or ended on a host. Names are codes in NameTables.
struct Checkpoint {
  Timestamp at;
  std::uint64_t task = 0;  // hash of job and task name
  std::uint64_t task_offset =
      0;  // of the task name in the text, with the source index in the upper bits; 0: unknown
  Code host = kNoCode;
  std::uint16_t event = 0;
  std::uint8_t level = 0;  // 0: unknown
  bool start = false;
};
static_assert(sizeof(Checkpoint) == 32);

// One line of GPU telemetry. Missing and implausible values are NaN.
struct Sample {
  Timestamp at;
  double power_watts = 0;
  float temperature_celsius = 0;
  float utilization_percent = 0;
  float memory_percent = 0;
  Code gpu = kNoCode;

  PerMetric<double> values() const {
    return {power_watts, temperature_celsius, utilization_percent, memory_percent};
  }
};
static_assert(sizeof(Sample) == 32);

// A GPU on a host. A GPU that moves to another host has two records; summary/repeated_boards.h finds it.
struct GpuRecord {
  Code host = kNoCode;
  std::string uuid, serial;
};

}  // namespace ergon::fleet
