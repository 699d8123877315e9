#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "device/control.h"

namespace ergon::device {

// The change of one control by a lease.
struct ControlChange {
  Control control = Control::power_limit;
  std::optional<ControlValue> before;  // absent if the device does not report it
  ControlValue requested;

  // The value to restore. An unreported clock counts as unlocked.
  ControlValue original() const { return before.value_or(ControlValue{}); }

  friend bool operator==(const ControlChange&, const ControlChange&) = default;
};

// Errors: a value of another control's type, a value that is not finite and positive, or a range with min >
// max.
Result<> check_value(Control control, const ControlValue& value);

// Whether `to` permits everything that `from` permits: an unlocked clock, a containing range, a power limit
// that is not lower.
bool widens(Control control, const ControlValue& from, const ControlValue& to);

// For messages: "250 W", "900 MHz to 1.2 GHz", "unlocked".
std::string to_text(const ControlValue& value);

}  // namespace ergon::device
