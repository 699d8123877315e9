#include "service/metrics/gpu_reading.h"

#include <utility>

#include "device/plausible.h"

namespace ergon::service {
namespace {

using device::ClockDomain;
using device::PowerField;

// Reads fields and records whether any was read and whether the device is lost.
class FieldReader {
 public:
  template <typename T, typename Read>
  std::optional<T> read(bool can, Read&& read_field) {
    if (!can || lost_) return std::nullopt;
    Result<T> value = std::forward<Read>(read_field)();
    if (!value) {
      lost_ = value.error().kind == Errc::device_lost;
      return std::nullopt;
    }
    any_read_ = true;
    return *std::move(value);
  }

  bool responding() const { return any_read_ && !lost_; }

 private:
  bool any_read_ = false, lost_ = false;
};

// Omits a value that cannot be right.
template <typename T, typename Test>
void keep_if(std::optional<T>& value, int& omitted, Test&& right) {
  if (!value || right(*value)) return;
  value.reset();
  ++omitted;
}

void omit_implausible(GpuReading& reading, const std::optional<device::PowerLimits>& limits) {
  const auto plausible = [](const auto& value) { return device::is_plausible(value); };
  int& omitted = reading.implausible;
  keep_if(reading.power, omitted, [highest = device::max_plausible_power(limits)](Watts power) {
    return power >= Watts{0} && power <= highest;
  });
  keep_if(reading.energy, omitted, [](Joules energy) { return energy >= Joules{0}; });
  keep_if(reading.core_clock, omitted, plausible);
  keep_if(reading.memory_clock, omitted, plausible);
  keep_if(reading.temperature, omitted, plausible);
  keep_if(reading.memory_temperature, omitted, plausible);
  keep_if(reading.utilization, omitted, plausible);
  keep_if(reading.memory, omitted, plausible);
}

}  // namespace

GpuReading empty_reading(const device::Device& device) {
  GpuReading reading;
  reading.identity = device.identity();
  reading.simulated = device.simulated();
  return reading;
}

GpuReading cleared_reading(const GpuReading& reading) {
  GpuReading cleared;
  cleared.identity = reading.identity;
  cleared.simulated = reading.simulated;
  cleared.at = reading.at;
  return cleared;
}

GpuReading read(device::Device& device, Timestamp now) {
  const device::Capabilities& can = device.capabilities();
  GpuReading reading = empty_reading(device);
  reading.at = now;
  FieldReader fields;
  for (const PowerField field :
       {PowerField::instant, PowerField::usage, PowerField::samples, PowerField::average}) {
    if (!reading.power) {
      reading.power = fields.read<Watts>(can.has(field), [&] { return device.power(field); });
    }
  }
  reading.energy = fields.read<Joules>(can.energy_counter, [&] { return device.energy_counter(); });
  reading.core_clock = fields.read<Hertz>(can.core_clock, [&] { return device.clock(ClockDomain::core); });
  reading.memory_clock =
      fields.read<Hertz>(can.memory_clock, [&] { return device.clock(ClockDomain::memory); });
  reading.temperature = fields.read<Celsius>(can.temperature, [&] { return device.temperature(); });
  reading.memory_temperature =
      fields.read<Celsius>(can.memory_temperature, [&] { return device.memory_temperature(); });
  reading.utilization =
      fields.read<device::GpuUtilization>(can.utilization, [&] { return device.utilization(); });
  reading.memory = fields.read<device::MemoryUse>(can.memory, [&] { return device.memory(); });
  const auto limits =
      fields.read<device::PowerLimits>(can.power_limit, [&] { return device.power_limits(); });
  if (limits) reading.power_limit = limits->current;
  reading.event_reasons =
      fields.read<device::EventReasons>(can.event_reasons, [&] { return device.event_reasons(); });
  reading.responding = fields.responding();
  omit_implausible(reading, limits);
  return reading.responding ? reading : cleared_reading(reading);
}

}  // namespace ergon::service
