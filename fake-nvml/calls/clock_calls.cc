// Reading, listing and setting clocks.

#include <algorithm>

#include "call_helpers.h"

namespace ergon::fake_nvml {
namespace {

using nvml::ClockId;
using nvml::ClockType;

bool is_core(ClockType type) { return type == ClockType::graphics || type == ClockType::sm; }
bool is_known(ClockType type) { return type >= ClockType::graphics && type <= ClockType::video; }

unsigned highest_core(const GpuCall& at) { return whole_mhz(at.slot.gpu.core.max); }

// The twin models one memory clock, independent of locks, and no video clock.
std::optional<unsigned> current(const GpuCall& at, ClockType type) {
  if (is_core(type)) return whole_mhz(at.gpu.twin().clock());
  if (type == ClockType::memory) return at.product.memory_mhz.front();
  return std::nullopt;
}

std::optional<unsigned> highest(const GpuCall& at, ClockType type) {
  if (is_core(type)) return highest_core(at);
  if (type == ClockType::memory) return at.product.memory_mhz.front();
  return std::nullopt;
}

std::optional<unsigned> application(const GpuCall& at, ClockType type) {
  if (!at.product.has_application_clocks()) return std::nullopt;
  const auto set = at.gpu.application_clocks();
  if (!set) return highest(at, type);
  if (is_core(type)) return static_cast<unsigned>(set->core);
  if (type == ClockType::memory) return static_cast<unsigned>(set->memory);
  return std::nullopt;
}

std::optional<unsigned> default_application(const GpuCall& at, ClockType type) {
  return at.product.has_application_clocks() ? highest(at, type) : std::nullopt;
}

std::optional<unsigned> customer_boost(const GpuCall& at, ClockType type) {
  return is_core(type) ? highest(at, type) : std::nullopt;
}

using Source = std::optional<unsigned> (*)(const GpuCall&, ClockType);

// `unknown` is the return code for an unknown clock type, which differs between functions.
Return give_clock(const char* function, DeviceHandle device, ClockType type, unsigned* mhz, Source source,
                  Return unknown = Return::invalid_argument) {
  return Library::here().call(function, device, [&](const GpuCall& at) {
    if (mhz == nullptr) return Return::invalid_argument;
    if (!is_known(type)) return unknown;
    const auto clock = source(at, type);
    if (!clock) return Return::not_supported;
    *mhz = *clock;
    return Return::success;
  });
}

constexpr unsigned kSymbolic = 0xffffff00;  // values from here on are symbolic, for example "unlimited"

// The range clamped to the supported clocks; absent for an invalid range.
std::optional<MhzRange> range_of(unsigned min, unsigned max, unsigned lowest, unsigned highest) {
  if (max == 0) return std::nullopt;
  const unsigned low = min >= kSymbolic ? highest : min, high = max >= kSymbolic ? highest : max;
  if (low > high) return std::nullopt;
  return MhzRange{std::clamp(low, lowest, highest), std::clamp(high, lowest, highest)};
}

Change refuse(Return why) { return {why, {}}; }
Change accept(Command command, std::int64_t first = 0, std::int64_t second = 0) {
  return {Return::success, {.command = command, .first = first, .second = second}};
}

bool contains(const std::vector<unsigned>& list, unsigned value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

}  // namespace

Return nvmlDeviceGetClockInfo(DeviceHandle device, ClockType type, unsigned* mhz) {
  return give_clock(__func__, device, type, mhz, current, Return::not_supported);
}
Return nvmlDeviceGetMaxClockInfo(DeviceHandle device, ClockType type, unsigned* mhz) {
  return give_clock(__func__, device, type, mhz, highest);
}
Return nvmlDeviceGetApplicationsClock(DeviceHandle device, ClockType type, unsigned* mhz) {
  return give_clock(__func__, device, type, mhz, application);
}
Return nvmlDeviceGetDefaultApplicationsClock(DeviceHandle device, ClockType type, unsigned* mhz) {
  return give_clock(__func__, device, type, mhz, default_application);
}
Return nvmlDeviceGetMaxCustomerBoostClock(DeviceHandle device, ClockType type, unsigned* mhz) {
  return give_clock(__func__, device, type, mhz, customer_boost);
}
Return nvmlDeviceGetClock(DeviceHandle device, ClockType type, ClockId id, unsigned* mhz) {
  switch (id) {
    case ClockId::current:
      return give_clock(__func__, device, type, mhz, current, Return::not_supported);
    case ClockId::application_target:
      return give_clock(__func__, device, type, mhz, application);
    case ClockId::application_default:
      return give_clock(__func__, device, type, mhz, default_application);
    case ClockId::customer_boost_max:
      return give_clock(__func__, device, type, mhz, customer_boost);
  }
  return Library::here().call(__func__, device, [](const GpuCall&) { return Return::invalid_argument; });
}

Return nvmlDeviceGetSupportedMemoryClocks(DeviceHandle device, unsigned* count, unsigned* mhz) {
  return Library::here().call(__func__, device, [&](const GpuCall& at) {
    if (count == nullptr) return Return::invalid_argument;
    return give_list(at.product.memory_mhz, count, mhz);
  });
}
Return nvmlDeviceGetSupportedGraphicsClocks(DeviceHandle device, unsigned memory_mhz, unsigned* count,
                                            unsigned* mhz) {
  return Library::here().call(__func__, device, [&](const GpuCall& at) {
    if (count == nullptr || memory_mhz == 0 || (*count > 0 && mhz == nullptr))
      return Return::invalid_argument;
    if (!contains(at.product.memory_mhz, memory_mhz)) return Return::not_found;
    return give_list(at.gpu.core_clocks(), count, mhz);
  });
}

Return nvmlDeviceSetApplicationsClocks(DeviceHandle device, unsigned memory_mhz, unsigned graphics_mhz) {
  return change(__func__, device, Permission::application_clocks, [&](const GpuCall& at) {
    if (!at.product.sets_application_clocks()) return refuse(Return::not_supported);
    const bool there =
        contains(at.product.memory_mhz, memory_mhz) && contains(at.gpu.core_clocks(), graphics_mhz);
    return there ? accept(Command::application_clocks, memory_mhz, graphics_mhz)
                 : refuse(Return::invalid_argument);
  });
}
Return nvmlDeviceResetApplicationsClocks(DeviceHandle device) {
  return change(__func__, device, Permission::application_clocks, [](const GpuCall& at) {
    return at.product.sets_application_clocks() ? accept(Command::reset_application_clocks)
                                                : refuse(Return::not_supported);
  });
}

Return nvmlDeviceSetGpuLockedClocks(DeviceHandle device, unsigned min_mhz, unsigned max_mhz) {
  return change(__func__, device, Permission::core_clock, [&](const GpuCall& at) {
    if (!at.product.locks_core_clock()) return refuse(Return::not_supported);
    const auto range = range_of(min_mhz, max_mhz, whole_mhz(at.slot.gpu.core.min), highest_core(at));
    return range ? accept(Command::lock_core, range->min, range->max) : refuse(Return::invalid_argument);
  });
}
Return nvmlDeviceResetGpuLockedClocks(DeviceHandle device) {
  return change(__func__, device, Permission::core_clock, [](const GpuCall& at) {
    return at.product.locks_core_clock() ? accept(Command::unlock_core) : refuse(Return::not_supported);
  });
}

// Recorded without effect: the twin has one memory clock.
Return nvmlDeviceSetMemoryLockedClocks(DeviceHandle device, unsigned min_mhz, unsigned max_mhz) {
  return change(__func__, device, Permission::memory_clock, [&](const GpuCall& at) {
    if (!at.product.locks_memory_clock()) return refuse(Return::not_supported);
    const auto range =
        range_of(min_mhz, max_mhz, at.product.memory_mhz.back(), at.product.memory_mhz.front());
    return range ? accept(Command::lock_memory, range->min, range->max) : refuse(Return::invalid_argument);
  });
}
Return nvmlDeviceResetMemoryLockedClocks(DeviceHandle device) {
  return change(__func__, device, Permission::memory_clock, [](const GpuCall& at) {
    return at.product.locks_memory_clock() ? accept(Command::unlock_memory) : refuse(Return::not_supported);
  });
}

namespace {

namespace reason = nvml::event_reason;

// Throttling by the regulator is reported as software power cap or thermal slowdown; application clocks only
// if they alone lower the clock.
std::optional<unsigned long long> reasons_now(const GpuCall& at) {
  const device::Twin& twin = at.gpu.twin();
  if (!twin.running()) return reason::kGpuIdle;
  unsigned long long reasons = 0;
  if (twin.throttle().power) reasons |= reason::kSwPowerCap;
  if (twin.throttle().heat) reasons |= reason::kSwThermalSlowdown;
  const auto set = at.gpu.application_clocks();
  if (reasons == 0 && set && set->core < highest_core(at)) reasons |= reason::kApplicationsClocksSetting;
  return reasons;
}
std::optional<unsigned long long> reasons_known(const GpuCall&) { return reason::kAll; }

}  // namespace

Return nvmlDeviceGetCurrentClocksThrottleReasons(DeviceHandle device, unsigned long long* reasons) {
  return give(__func__, device, reasons, reasons_now);
}
Return nvmlDeviceGetCurrentClocksEventReasons(DeviceHandle device, unsigned long long* reasons) {
  return give(__func__, device, reasons, reasons_now);
}
Return nvmlDeviceGetSupportedClocksThrottleReasons(DeviceHandle device, unsigned long long* reasons) {
  return give(__func__, device, reasons, reasons_known);
}
Return nvmlDeviceGetSupportedClocksEventReasons(DeviceHandle device, unsigned long long* reasons) {
  return give(__func__, device, reasons, reasons_known);
}

// The twin does not record the time spent throttled.
Return nvmlDeviceGetViolationStatus(DeviceHandle device, nvml::PerfPolicy, nvml::ViolationTime* time) {
  return give(__func__, device, time,
              [](const GpuCall&) -> std::optional<nvml::ViolationTime> { return std::nullopt; });
}

}  // namespace ergon::fake_nvml
