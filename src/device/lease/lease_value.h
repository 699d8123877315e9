#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "device/control.h"

namespace ergon::device {

// What a lease did to one control.
struct ControlChange {
  Control control = Control::power_limit;
  std::optional<ControlValue> before;  // nothing where the device does not tell
  ControlValue requested;

  // A clock that does not tell counts as not locked.
  ControlValue original() const { return before.value_or(ControlValue{}); }

  friend bool operator==(const ControlChange&, const ControlChange&) = default;
};

// Of the control's kind, and possible: finite, above nothing, and a range that begins before it ends.
Result<> check_value(Control control, const ControlValue& value);

// Whether the second value leaves the device all the freedom of the first: an unlocked clock, a range around
// the other, a limit not below the other.
bool widens(Control control, const ControlValue& from, const ControlValue& to);

// For people: "250 W", "900 MHz to 1.2 GHz", "unlocked".
std::string to_text(const ControlValue& value);

}  // namespace ergon::device
