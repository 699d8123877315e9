#include "device/nvml/state.h"

#include "device/nvml/field_value.h"

namespace ergon::device::nvml {
namespace {

bool unsupported(const Result<>& asked) { return !asked && asked.error().kind == Errc::unsupported; }

}  // namespace

Result<Hertz> clock(const Gpu& gpu, ClockDomain domain) {
  unsigned mhz = 0;
  const bool core = domain == ClockDomain::core;
  const std::string_view what = core ? "core clock" : "memory clock";
  auto asked = gpu.ask(what, gpu.nvml().clock, core ? ClockType::sm : ClockType::memory, &mhz);
  if (core && unsupported(asked)) asked = gpu.ask(what, gpu.nvml().clock, ClockType::graphics, &mhz);
  if (!asked) return asked.error();
  return Hertz{mhz * 1e6};
}

Result<Celsius> temperature(const Gpu& gpu) {
  unsigned degrees = 0;
  auto asked = gpu.ask("temperature", gpu.nvml().temperature, TemperatureSensor::gpu, &degrees);
  if (asked) return Celsius{static_cast<double>(degrees)};
  if (!unsupported(asked)) return asked.error();
  Temperature reading{version_of<Temperature>(1), TemperatureSensor::gpu, 0};
  asked = gpu.ask("temperature", gpu.nvml().temperature_versioned, &reading);
  if (!asked) return asked.error();
  return Celsius{static_cast<double>(reading.degrees)};
}

Result<Celsius> memory_temperature(const Gpu& gpu) {
  constexpr std::string_view kWhat = "memory temperature";
  const auto degrees = field_value(gpu, field::kMemoryTemperature, kWhat);
  if (!degrees) return degrees.error();
  // Memory without a sensor is known to be at exactly 0 degrees.
  if (*degrees == 0) return gpu.error(kWhat, Return::not_supported);
  return Celsius{*degrees};
}

Result<Utilisation> utilisation(const Gpu& gpu) {
  Utilization percent{};
  if (auto asked = gpu.ask("utilisation", gpu.nvml().utilization, &percent); !asked) return asked.error();
  return Utilisation{percent.gpu / 100.0, percent.memory / 100.0};
}

Result<MemoryUse> memory_use(const Gpu& gpu) {
  // The newer call does not count what the driver keeps for itself as used.
  MemoryV2 newer{};
  newer.version = version_of<MemoryV2>(2);
  auto asked = gpu.ask("memory", gpu.nvml().memory_v2, &newer);
  if (asked) return MemoryUse{bytes(newer.total), bytes(newer.used)};
  if (!unsupported(asked)) return asked.error();
  Memory older{};
  asked = gpu.ask("memory", gpu.nvml().memory, &older);
  if (!asked) return asked.error();
  return MemoryUse{bytes(older.total), bytes(older.used)};
}

Result<EventReasons> event_reasons(const Gpu& gpu) {
  unsigned long long bits = 0;
  if (auto asked = gpu.ask("event reasons", gpu.nvml().event_reasons, &bits); !asked) return asked.error();
  return EventReasons{bits};
}

}  // namespace ergon::device::nvml
