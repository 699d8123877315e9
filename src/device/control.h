#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/units.h"

namespace ergon::device {

// What can be set on a device, each by itself.
enum class Control : std::uint8_t {
  power_limit,
  core_clock,    // locked to a range
  memory_clock,  // locked to a range
};
std::string_view name_of(Control control);

struct ClockRange {
  Hertz least, most;

  friend bool operator==(const ClockRange&, const ClockRange&) = default;
};

// The value of one control. A clock that is not locked has none: the device chooses.
struct ControlValue {
  std::optional<Watts> power_limit;
  std::optional<ClockRange> clocks;

  friend bool operator==(const ControlValue&, const ControlValue&) = default;
};

// Only a lease can make one, so only a lease can write.
class LeaseKey {
  LeaseKey() = default;
  friend class Lease;
};

// Writing to a device. Each call changes one control and nothing else.
class Controls {
 public:
  virtual ~Controls() = default;

  // What a control is at now. Locked clocks cannot be read back from NVML: there the answer is
  // Errc::unsupported, and the journal of leases is what knows.
  virtual Result<ControlValue> read(Control control) = 0;
  // Contract: the value is of the control's kind (power_limit for Control::power_limit, else clocks or
  // nothing). Errors: a value that the device does not have, no permission, a lost device. With unsupported,
  // permission and invalid_input nothing has changed.
  virtual Result<> write(Control control, const ControlValue& value) = 0;
};

}  // namespace ergon::device
