#include "service/metrics/gpu_reading.h"

#include <utility>

namespace ergon::service {
namespace {

using device::ClockDomain;
using device::PowerField;

// Keeps what was told, and whether somebody said that the device is lost.
class Questions {
 public:
  template <typename T, typename Question>
  std::optional<T> ask(bool can, Question&& question) {
    if (!can || lost_) return std::nullopt;
    Result<T> answer = std::forward<Question>(question)();
    if (!answer) {
      lost_ = answer.error().kind == Errc::device_lost;
      return std::nullopt;
    }
    answered_ = true;
    return *std::move(answer);
  }

  bool answered() const { return answered_ && !lost_; }

 private:
  bool answered_ = false, lost_ = false;
};

}  // namespace

GpuReading unread(const device::Device& device) {
  GpuReading reading;
  reading.identity = device.identity();
  reading.simulated = device.simulated();
  return reading;
}

GpuReading silent(const GpuReading& reading) {
  GpuReading nothing;
  nothing.identity = reading.identity;
  nothing.simulated = reading.simulated;
  nothing.at = reading.at;
  return nothing;
}

GpuReading read(device::Device& device, Timestamp now) {
  const device::Capabilities& can = device.capabilities();
  GpuReading reading = unread(device);
  reading.at = now;
  Questions questions;
  for (const PowerField field :
       {PowerField::instant, PowerField::usage, PowerField::samples, PowerField::average}) {
    if (!reading.power) {
      reading.power = questions.ask<Watts>(can.has(field), [&] { return device.power(field); });
    }
  }
  reading.energy = questions.ask<Joules>(can.energy_counter, [&] { return device.energy_counter(); });
  reading.core_clock = questions.ask<Hertz>(can.core_clock, [&] { return device.clock(ClockDomain::core); });
  reading.memory_clock =
      questions.ask<Hertz>(can.memory_clock, [&] { return device.clock(ClockDomain::memory); });
  reading.temperature = questions.ask<Celsius>(can.temperature, [&] { return device.temperature(); });
  reading.memory_temperature =
      questions.ask<Celsius>(can.memory_temperature, [&] { return device.memory_temperature(); });
  reading.utilisation =
      questions.ask<device::Utilisation>(can.utilisation, [&] { return device.utilisation(); });
  reading.memory = questions.ask<device::MemoryUse>(can.memory, [&] { return device.memory(); });
  if (const auto limits =
          questions.ask<device::PowerLimits>(can.power_limit, [&] { return device.power_limits(); })) {
    reading.power_limit = limits->now;
  }
  reading.event_reasons =
      questions.ask<device::EventReasons>(can.event_reasons, [&] { return device.event_reasons(); });
  reading.answers = questions.answered();
  return reading.answers ? reading : silent(reading);
}

}  // namespace ergon::service
