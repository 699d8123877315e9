#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace ergon::service {

enum class MetricType : std::uint8_t { gauge, counter };

// What Prometheus calls a family: all series of one name. A constant of the program, never made at run time.
struct Metric {
  std::string_view name;
  MetricType type = MetricType::gauge;
  std::string_view help;
};

// Everything that /metrics can show; docs/prometheus/README.md says the same for people, and a test compares.
//
// Names are ergon_, what it is about, what it is, and the unit in full: SI, or ratio for shares from 0 to 1.
// Counters end in _total behind the unit. process_ is Prometheus' own convention for the program itself.
namespace metrics {

inline constexpr Metric kGpuUp{"ergon_gpu_up", MetricType::gauge,
                               "1 while the GPU answers, 0 while it does not."};
inline constexpr Metric kGpuSimulated{"ergon_gpu_simulated", MetricType::gauge,
                                      "1 where the readings come from a model, 0 where from a machine."};
inline constexpr Metric kGpuPower{"ergon_gpu_power_watts", MetricType::gauge, "Power as the GPU reads it."};
inline constexpr Metric kGpuEnergy{
    "ergon_gpu_energy_joules_total", MetricType::counter,
    "Energy by the GPU's own counter, or power over the time it was watched where it has none."};
inline constexpr Metric kGpuClock{"ergon_gpu_clock_hertz", MetricType::gauge, "Clock of the cores."};
inline constexpr Metric kGpuMemoryClock{"ergon_gpu_memory_clock_hertz", MetricType::gauge,
                                        "Clock of the memory."};
inline constexpr Metric kGpuTemperature{"ergon_gpu_temperature_celsius", MetricType::gauge,
                                        "Temperature of the chip."};
inline constexpr Metric kGpuMemoryTemperature{"ergon_gpu_memory_temperature_celsius", MetricType::gauge,
                                              "Temperature of the memory."};
inline constexpr Metric kGpuUtilisation{"ergon_gpu_utilisation_ratio", MetricType::gauge,
                                        "Share of the time with a kernel running."};
inline constexpr Metric kGpuMemoryUtilisation{"ergon_gpu_memory_utilisation_ratio", MetricType::gauge,
                                              "Share of the time with the memory being read or written."};
inline constexpr Metric kGpuMemoryUsed{"ergon_gpu_memory_used_bytes", MetricType::gauge, "Memory in use."};
inline constexpr Metric kGpuMemoryTotal{"ergon_gpu_memory_total_bytes", MetricType::gauge,
                                        "Memory there is."};
inline constexpr Metric kGpuPowerLimit{"ergon_gpu_power_limit_watts", MetricType::gauge,
                                       "The limit that the board keeps."};

inline constexpr Metric kCpuUp{"ergon_cpu_up", MetricType::gauge,
                               "1 while the processor's counter can be read, 0 while it cannot."};
inline constexpr Metric kCpuPower{"ergon_cpu_power_watts", MetricType::gauge,
                                  "Mean power between the last two looks at the processor's counter."};
inline constexpr Metric kCpuEnergy{"ergon_cpu_energy_joules_total", MetricType::counter,
                                   "Energy of a processor, or of the memory that belongs to one."};

inline constexpr Metric kCap{"ergon_cap_watts", MetricType::gauge, "The cap that a run holds now."};
inline constexpr Metric kCapPower{"ergon_cap_power_watts", MetricType::gauge,
                                  "Power as the run last read it to decide by."};
inline constexpr Metric kCapClock{"ergon_cap_clock_hertz", MetricType::gauge,
                                  "The clock that the run asks for."};
inline constexpr Metric kCapBatch{"ergon_batch_size", MetricType::gauge, "The batch size the run uses."};
inline constexpr Metric kCapThroughput{"ergon_throughput_samples_per_second", MetricType::gauge,
                                       "Samples that the run finishes in a second."};
inline constexpr Metric kCapDecisions{"ergon_cap_decisions_total", MetricType::counter,
                                      "Decisions the run has made."};
inline constexpr Metric kCapViolations{"ergon_cap_violations_total", MetricType::counter,
                                       "Decisions before which power was above the cap."};

inline constexpr Metric kHttpRequests{"ergon_http_requests_total", MetricType::counter,
                                      "Requests answered, by the class of the answer's status."};
inline constexpr Metric kJobs{"ergon_jobs", MetricType::gauge, "Jobs the service knows of, by their state."};
inline constexpr Metric kBuildInfo{"ergon_build_info", MetricType::gauge, "1; the label says which build."};
inline constexpr Metric kProcessStart{"process_start_time_seconds", MetricType::gauge,
                                      "When the program began, in seconds since 1970."};
inline constexpr Metric kProcessMemory{"process_resident_memory_bytes", MetricType::gauge,
                                       "Memory that the program occupies."};

// All of the above.
std::span<const Metric> all();

}  // namespace metrics
}  // namespace ergon::service
