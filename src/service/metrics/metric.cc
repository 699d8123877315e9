#include "service/metrics/metric.h"

namespace ergon::service::metrics {

std::span<const Metric> all() {
  static constexpr Metric kAll[] = {
      kGpuUp,          kGpuSimulated,
      kGpuPower,       kGpuEnergy,
      kGpuClock,       kGpuMemoryClock,
      kGpuTemperature, kGpuMemoryTemperature,
      kGpuUtilization, kGpuMemoryUtilization,
      kGpuMemoryUsed,  kGpuMemoryTotal,
      kGpuPowerLimit,  kGpuImplausible,
      kCpuUp,          kCpuPower,
      kCpuEnergy,      kCap,
      kCapPower,       kCapClock,
      kCapBatch,       kCapThroughput,
      kCapDecisions,   kCapViolations,
      kHttpRequests,   kJobs,
      kOmittedValues,  kBuildInfo,
      kProcessStart,   kProcessMemory,
  };
  return kAll;
}

}  // namespace ergon::service::metrics
