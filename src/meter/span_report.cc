#include "meter/span_report.h"

namespace ergon::meter {
namespace {

template <typename T>
void widen(std::optional<T>& min, std::optional<T>& max, const std::optional<T>& other_min,
           const std::optional<T>& other_max) {
  if (other_min && (!min || *other_min < *min)) min = other_min;
  if (other_max && (!max || *max < *other_max)) max = other_max;
}

}  // namespace

void DeviceState::add(const DeviceState& other) {
  reasons |= other.reasons;
  other_processes.insert(other.other_processes.begin(), other.other_processes.end());
  widen(temperature_min, temperature_max, other.temperature_min, other.temperature_max);
  widen(clock_min, clock_max, other.clock_min, other.clock_max);
  power_limit_lowered = power_limit_lowered || other.power_limit_lowered;
}

}  // namespace ergon::meter
