// Clocks: what they are, what they may be, and setting them.

#include <algorithm>

#include "answer.h"

namespace ergon::fake_nvml {
namespace {

using nvml::ClockId;
using nvml::ClockType;

bool is_core(ClockType type) { return type == ClockType::graphics || type == ClockType::sm; }
bool is_known(ClockType type) { return type >= ClockType::graphics && type <= ClockType::video; }

unsigned highest_core(const Visit& at) { return whole_mhz(at.seat.gpu.core.most); }

// The memory has one clock, whatever it is locked to: the twin has no model of others. There is no video
// clock.
std::optional<unsigned> current(const Visit& at, ClockType type) {
  if (is_core(type)) return whole_mhz(at.gpu.twin().clock());
  if (type == ClockType::memory) return at.product.memory_mhz.front();
  return std::nullopt;
}

std::optional<unsigned> highest(const Visit& at, ClockType type) {
  if (is_core(type)) return highest_core(at);
  if (type == ClockType::memory) return at.product.memory_mhz.front();
  return std::nullopt;
}

std::optional<unsigned> application(const Visit& at, ClockType type) {
  if (!at.product.has_application_clocks()) return std::nullopt;
  const auto set = at.gpu.application_clocks();
  if (!set) return highest(at, type);
  if (is_core(type)) return static_cast<unsigned>(set->core);
  if (type == ClockType::memory) return static_cast<unsigned>(set->memory);
  return std::nullopt;
}

std::optional<unsigned> usual_application(const Visit& at, ClockType type) {
  return at.product.has_application_clocks() ? highest(at, type) : std::nullopt;
}

std::optional<unsigned> customer_boost(const Visit& at, ClockType type) {
  return is_core(type) ? highest(at, type) : std::nullopt;
}

using Source = std::optional<unsigned> (*)(const Visit&, ClockType);

// `unknown` is the answer for a domain that does not exist: not the same for all.
Return give_clock(const char* function, DeviceHandle device, ClockType type, unsigned* mhz, Source source,
                  Return unknown = Return::invalid_argument) {
  return Library::here().call(function, device, [&](const Visit& at) {
    if (mhz == nullptr) return Return::invalid_argument;
    if (!is_known(type)) return unknown;
    const auto clock = source(at, type);
    if (!clock) return Return::not_supported;
    *mhz = *clock;
    return Return::success;
  });
}

constexpr unsigned kSymbolic = 0xffffff00;  // from here on clocks are words: "the highest", "unlimited"

// What of a range the chip has. Nothing: a range that is none.
std::optional<MhzRange> range_of(unsigned least, unsigned most, unsigned lowest, unsigned highest) {
  if (most == 0) return std::nullopt;
  const unsigned low = least >= kSymbolic ? highest : least, high = most >= kSymbolic ? highest : most;
  if (low > high) return std::nullopt;
  return MhzRange{std::clamp(low, lowest, highest), std::clamp(high, lowest, highest)};
}

Change refuse(Return why) { return {why, {}}; }
Change happen(Command command, std::int64_t first = 0, std::int64_t second = 0) {
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
  return give_clock(__func__, device, type, mhz, usual_application);
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
      return give_clock(__func__, device, type, mhz, usual_application);
    case ClockId::customer_boost_max:
      return give_clock(__func__, device, type, mhz, customer_boost);
  }
  return Library::here().call(__func__, device, [](const Visit&) { return Return::invalid_argument; });
}

Return nvmlDeviceGetSupportedMemoryClocks(DeviceHandle device, unsigned* count, unsigned* mhz) {
  return Library::here().call(__func__, device, [&](const Visit& at) {
    if (count == nullptr) return Return::invalid_argument;
    return give_list(at.product.memory_mhz, count, mhz);
  });
}
Return nvmlDeviceGetSupportedGraphicsClocks(DeviceHandle device, unsigned memory_mhz, unsigned* count,
                                            unsigned* mhz) {
  return Library::here().call(__func__, device, [&](const Visit& at) {
    if (count == nullptr || memory_mhz == 0 || (*count > 0 && mhz == nullptr))
      return Return::invalid_argument;
    if (!contains(at.product.memory_mhz, memory_mhz)) return Return::not_found;
    return give_list(at.gpu.core_clocks(), count, mhz);
  });
}

Return nvmlDeviceSetApplicationsClocks(DeviceHandle device, unsigned memory_mhz, unsigned graphics_mhz) {
  return change(__func__, device, Permission::application_clocks, [&](const Visit& at) {
    if (!at.product.sets_application_clocks()) return refuse(Return::not_supported);
    const bool there =
        contains(at.product.memory_mhz, memory_mhz) && contains(at.gpu.core_clocks(), graphics_mhz);
    return there ? happen(Command::application_clocks, memory_mhz, graphics_mhz)
                 : refuse(Return::invalid_argument);
  });
}
Return nvmlDeviceResetApplicationsClocks(DeviceHandle device) {
  return change(__func__, device, Permission::application_clocks, [](const Visit& at) {
    return at.product.sets_application_clocks() ? happen(Command::reset_application_clocks)
                                                : refuse(Return::not_supported);
  });
}

Return nvmlDeviceSetGpuLockedClocks(DeviceHandle device, unsigned least_mhz, unsigned most_mhz) {
  return change(__func__, device, Permission::core_clock, [&](const Visit& at) {
    if (!at.product.locks_core_clock()) return refuse(Return::not_supported);
    const auto range = range_of(least_mhz, most_mhz, whole_mhz(at.seat.gpu.core.least), highest_core(at));
    return range ? happen(Command::lock_core, range->least, range->most) : refuse(Return::invalid_argument);
  });
}
Return nvmlDeviceResetGpuLockedClocks(DeviceHandle device) {
  return change(__func__, device, Permission::core_clock, [](const Visit& at) {
    return at.product.locks_core_clock() ? happen(Command::unlock_core) : refuse(Return::not_supported);
  });
}

// Recorded, and nothing besides: the twin's memory has one clock.
Return nvmlDeviceSetMemoryLockedClocks(DeviceHandle device, unsigned least_mhz, unsigned most_mhz) {
  return change(__func__, device, Permission::memory_clock, [&](const Visit& at) {
    if (!at.product.locks_memory_clock()) return refuse(Return::not_supported);
    const auto range =
        range_of(least_mhz, most_mhz, at.product.memory_mhz.back(), at.product.memory_mhz.front());
    return range ? happen(Command::lock_memory, range->least, range->most) : refuse(Return::invalid_argument);
  });
}
Return nvmlDeviceResetMemoryLockedClocks(DeviceHandle device) {
  return change(__func__, device, Permission::memory_clock, [](const Visit& at) {
    return at.product.locks_memory_clock() ? happen(Command::unlock_memory) : refuse(Return::not_supported);
  });
}

namespace {

namespace reason = nvml::event_reason;

// The regulator's reasons are the software's; application clocks count where they alone hold the clock down.
std::optional<unsigned long long> reasons_now(const Visit& at) {
  const device::Twin& twin = at.gpu.twin();
  if (!twin.running()) return reason::kGpuIdle;
  unsigned long long reasons = 0;
  if (twin.throttle().power) reasons |= reason::kSwPowerCap;
  if (twin.throttle().heat) reasons |= reason::kSwThermalSlowdown;
  const auto set = at.gpu.application_clocks();
  if (reasons == 0 && set && set->core < highest_core(at)) reasons |= reason::kApplicationsClocksSetting;
  return reasons;
}
std::optional<unsigned long long> reasons_known(const Visit&) { return reason::kAll; }

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

// The twin keeps no account of how long it was held back.
Return nvmlDeviceGetViolationStatus(DeviceHandle device, nvml::PerfPolicy, nvml::ViolationTime* time) {
  return give(__func__, device, time,
              [](const Visit&) -> std::optional<nvml::ViolationTime> { return std::nullopt; });
}

}  // namespace ergon::fake_nvml
