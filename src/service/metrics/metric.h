#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace ergon::service {

enum class MetricType : std::uint8_t { gauge, counter };

// A Prometheus metric family: all series with one name. Always a compile-time constant.
struct Metric {
  std::string_view name;
  MetricType type = MetricType::gauge;
  std::string_view help;
};

// All metrics of /metrics. docs/prometheus/README.md documents them; a test compares both.
//
// A name is ergon_, the subject, the quantity and the unit: SI units, or ratio for shares from 0 to 1.
// Counters end in _total after the unit. process_ is Prometheus' convention for the process itself.
namespace metrics {

inline constexpr Metric kGpuUp{"ergon_gpu_up", MetricType::gauge, "1 if the GPU responds, 0 if not."};
inline constexpr Metric kGpuSimulated{"ergon_gpu_simulated", MetricType::gauge,
                                      "1 if the readings come from a twin, 0 if from hardware."};
inline constexpr Metric kGpuPower{"ergon_gpu_power_watts", MetricType::gauge, "Power reading of the GPU."};
inline constexpr Metric kGpuEnergy{
    "ergon_gpu_energy_joules_total", MetricType::counter,
    "Energy counter of the GPU, or power integrated since the server started."};
inline constexpr Metric kGpuClock{"ergon_gpu_clock_hertz", MetricType::gauge, "Core clock."};
inline constexpr Metric kGpuMemoryClock{"ergon_gpu_memory_clock_hertz", MetricType::gauge, "Memory clock."};
inline constexpr Metric kGpuTemperature{"ergon_gpu_temperature_celsius", MetricType::gauge,
                                        "GPU temperature."};
inline constexpr Metric kGpuMemoryTemperature{"ergon_gpu_memory_temperature_celsius", MetricType::gauge,
                                              "Memory temperature."};
inline constexpr Metric kGpuUtilization{"ergon_gpu_utilization_ratio", MetricType::gauge,
                                        "Share of time in which a kernel was running."};
inline constexpr Metric kGpuMemoryUtilization{"ergon_gpu_memory_utilization_ratio", MetricType::gauge,
                                              "Share of time in which memory was read or written."};
inline constexpr Metric kGpuMemoryUsed{"ergon_gpu_memory_used_bytes", MetricType::gauge, "Used memory."};
inline constexpr Metric kGpuMemoryTotal{"ergon_gpu_memory_total_bytes", MetricType::gauge, "Total memory."};
inline constexpr Metric kGpuPowerLimit{"ergon_gpu_power_limit_watts", MetricType::gauge,
                                       "Enforced power limit of the board."};

inline constexpr Metric kGpuImplausible{
    "ergon_gpu_implausible_values", MetricType::gauge,
    "Values of the last reading that no working sensor reports; they are omitted."};

inline constexpr Metric kCpuUp{"ergon_cpu_up", MetricType::gauge,
                               "1 if the energy counter of the processor can be read, 0 if not."};
inline constexpr Metric kCpuPower{"ergon_cpu_power_watts", MetricType::gauge,
                                  "Mean power between the last two readings of the energy counter."};
inline constexpr Metric kCpuEnergy{"ergon_cpu_energy_joules_total", MetricType::counter,
                                   "Energy of a processor or of its memory."};

inline constexpr Metric kCap{"ergon_cap_watts", MetricType::gauge, "Power cap that a run holds."};
inline constexpr Metric kCapPower{"ergon_cap_power_watts", MetricType::gauge,
                                  "Power at the last decision of the run."};
inline constexpr Metric kCapClock{"ergon_cap_clock_hertz", MetricType::gauge,
                                  "Core clock that the run requests."};
inline constexpr Metric kCapBatch{"ergon_batch_size", MetricType::gauge, "Batch size of the run."};
inline constexpr Metric kCapThroughput{"ergon_throughput_samples_per_second", MetricType::gauge,
                                       "Throughput of the run."};
inline constexpr Metric kCapDecisions{"ergon_cap_decisions_total", MetricType::counter,
                                      "Decisions of the run."};
inline constexpr Metric kCapViolations{"ergon_cap_violations_total", MetricType::counter,
                                       "Decisions of the run with power above the cap."};

inline constexpr Metric kHttpRequests{"ergon_http_requests_total", MetricType::counter,
                                      "HTTP requests by class of the response status."};
inline constexpr Metric kJobs{"ergon_jobs", MetricType::gauge, "Stored jobs by state."};
inline constexpr Metric kOmittedValues{
    "ergon_omitted_values", MetricType::gauge,
    "Values of this page that cannot be right and were omitted: 0, unless Ergon has a defect."};
inline constexpr Metric kBuildInfo{"ergon_build_info", MetricType::gauge,
                                   "1; the version label names the build."};
inline constexpr Metric kProcessStart{"process_start_time_seconds", MetricType::gauge,
                                      "Start time of the process in seconds since 1970."};
inline constexpr Metric kProcessMemory{"process_resident_memory_bytes", MetricType::gauge,
                                       "Resident memory of the process."};

// All of the above.
std::span<const Metric> all();

}  // namespace metrics
}  // namespace ergon::service
