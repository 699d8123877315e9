#include "device/nvml/state.h"

#include "device/nvml/field_value.h"

namespace ergon::device::nvml {
namespace {

bool unsupported(const Result<>& called) { return !called && called.error().kind == Errc::unsupported; }

}  // namespace

Result<Hertz> clock(const Gpu& gpu, ClockDomain domain) {
  unsigned mhz = 0;
  const bool core = domain == ClockDomain::core;
  const std::string_view what = core ? "core clock" : "memory clock";
  auto called = gpu.call(what, gpu.nvml().clock, core ? ClockType::sm : ClockType::memory, &mhz);
  if (core && unsupported(called)) called = gpu.call(what, gpu.nvml().clock, ClockType::graphics, &mhz);
  if (!called) return called.error();
  return Hertz{mhz * 1e6};
}

Result<Celsius> temperature(const Gpu& gpu) {
  unsigned degrees = 0;
  auto called = gpu.call("temperature", gpu.nvml().temperature, TemperatureSensor::gpu, &degrees);
  if (called) return Celsius{static_cast<double>(degrees)};
  if (!unsupported(called)) return called.error();
  Temperature reading{version_of<Temperature>(1), TemperatureSensor::gpu, 0};
  called = gpu.call("temperature", gpu.nvml().temperature_versioned, &reading);
  if (!called) return called.error();
  return Celsius{static_cast<double>(reading.degrees)};
}

Result<Celsius> memory_temperature(const Gpu& gpu) {
  constexpr std::string_view kWhat = "memory temperature";
  const auto degrees = field_value(gpu, field::kMemoryTemperature, kWhat);
  if (!degrees) return degrees.error();
  // Memory without a sensor reports 0 degrees.
  if (*degrees == 0) return gpu.error(kWhat, Return::not_supported);
  return Celsius{*degrees};
}

Result<GpuUtilization> utilization(const Gpu& gpu) {
  Utilization percent{};
  if (auto called = gpu.call("utilization", gpu.nvml().utilization, &percent); !called) return called.error();
  return GpuUtilization{percent.gpu / 100.0, percent.memory / 100.0};
}

Result<MemoryUse> memory_use(const Gpu& gpu) {
  // Version 2 does not count the driver's reserved memory as used.
  MemoryV2 newer{};
  newer.version = version_of<MemoryV2>(2);
  auto called = gpu.call("memory", gpu.nvml().memory_v2, &newer);
  if (called) return MemoryUse{bytes(newer.total), bytes(newer.used)};
  if (!unsupported(called)) return called.error();
  Memory older{};
  called = gpu.call("memory", gpu.nvml().memory, &older);
  if (!called) return called.error();
  return MemoryUse{bytes(older.total), bytes(older.used)};
}

Result<EventReasons> event_reasons(const Gpu& gpu) {
  unsigned long long bits = 0;
  if (auto called = gpu.call("event reasons", gpu.nvml().event_reasons, &bits); !called)
    return called.error();
  return EventReasons{bits};
}

}  // namespace ergon::device::nvml
