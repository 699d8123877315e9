#include "service/metrics/gpu_reading.h"

#include <utility>

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
  if (const auto limits =
          fields.read<device::PowerLimits>(can.power_limit, [&] { return device.power_limits(); })) {
    reading.power_limit = limits->current;
  }
  reading.event_reasons =
      fields.read<device::EventReasons>(can.event_reasons, [&] { return device.event_reasons(); });
  reading.responding = fields.responding();
  return reading.responding ? reading : cleared_reading(reading);
}

}  // namespace ergon::service
