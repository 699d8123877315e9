#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ergon::device {

// Why a GPU runs below its highest clock. The bits are NVML's (nvmlClocksEventReason...).
class EventReasons {
 public:
  static constexpr std::uint64_t kIdle = 0x1, kApplicationClocks = 0x2, kPowerCap = 0x4,
                                 kHardwareSlowdown = 0x8, kSyncBoost = 0x10, kSoftwareHeat = 0x20,
                                 kHardwareHeat = 0x40, kPowerBrake = 0x80, kDisplayClocks = 0x100;
  // Reasons other than clocks set by the user.
  static constexpr std::uint64_t kThrottling =
      kPowerCap | kHardwareSlowdown | kSoftwareHeat | kHardwareHeat | kPowerBrake;

  EventReasons() = default;
  explicit EventReasons(std::uint64_t bits) : bits_(bits) {}

  std::uint64_t bits() const { return bits_; }
  bool has(std::uint64_t reason) const { return (bits_ & reason) != 0; }
  bool throttled() const { return has(kThrottling); }
  // For example "power_cap", "hardware_slowdown"; an unknown bit is "reason_0x200".
  std::vector<std::string> names() const;

  EventReasons& operator|=(EventReasons other) { return bits_ |= other.bits_, *this; }
  friend bool operator==(EventReasons, EventReasons) = default;

 private:
  std::uint64_t bits_ = 0;
};

}  // namespace ergon::device
