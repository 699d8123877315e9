#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/units.h"

namespace ergon::device {

// Settings of a device that can be changed independently.
enum class Control : std::uint8_t {
  power_limit,
  core_clock,    // locked to a range
  memory_clock,  // locked to a range
};
std::string_view name_of(Control control);

struct ClockRange {
  Hertz min, max;

  friend bool operator==(const ClockRange&, const ClockRange&) = default;
};

// The value of one control. `clocks` is absent for an unlocked clock: the device chooses its clock.
struct ControlValue {
  std::optional<Watts> power_limit;
  std::optional<ClockRange> clocks;

  friend bool operator==(const ControlValue&, const ControlValue&) = default;
};

// Proof that the caller is a Lease. Only Lease can construct one, so only leases can write to devices.
class LeaseKey {
  LeaseKey() = default;
  friend class Lease;
};

// Reads and writes the controls of a device. Each write changes one control.
class Controls {
 public:
  virtual ~Controls() = default;

  // The current value. Errors: unsupported for locked clocks on NVML, which cannot be read back; the lease
  // journal records the requested value instead.
  virtual Result<ControlValue> read(Control control) = 0;
  // Contract: `value` matches the control (power_limit for Control::power_limit, otherwise clocks or empty).
  // Errors: invalid_input for an unsupported value, permission, unsupported, device_lost. After unsupported,
  // permission and invalid_input the device is unchanged.
  virtual Result<> write(Control control, const ControlValue& value) = 0;
};

}  // namespace ergon::device
