#include "device/plausible.h"

namespace ergon::device {
namespace {

constexpr double kAboveLimit = 1.5;
constexpr Watts kAnyBoard{5000};
constexpr double kMinCelsius = -40, kMaxCelsius = 150;
constexpr Hertz kMaxClock{10e9};

bool is_share(double value) { return value >= 0 && value <= 1; }

}  // namespace

Watts max_plausible_power(const std::optional<PowerLimits>& limits) {
  return limits ? limits->max * kAboveLimit : kAnyBoard;
}

bool is_plausible(Celsius temperature) {
  return temperature.degrees() >= kMinCelsius && temperature.degrees() <= kMaxCelsius;
}

bool is_plausible(Hertz clock) { return clock >= Hertz{0} && clock <= kMaxClock; }

bool is_plausible(const GpuUtilization& utilization) {
  return is_share(utilization.compute) && is_share(utilization.memory);
}

bool is_plausible(const MemoryUse& memory) { return memory.used >= Bytes{0} && memory.used <= memory.total; }

}  // namespace ergon::device
