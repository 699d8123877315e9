#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/units.h"

namespace ergon::control {

struct CapChange {
  Watts cap;
  std::string origin;  // for the log: "schedule", "file caps.txt", "socket"
};

// Source of the power cap. The cap may change at any time. Not thread-safe: used by one thread.
class CapSource {
 public:
  virtual ~CapSource() = default;

  // The change since the last call, or empty. `now` counts from the start of the run and does not decrease.
  // Never blocks. An error is reported once; the previous cap stays in force.
  virtual Result<std::optional<CapChange>> poll(Seconds now) = 0;

  // Reports how long it took until power was below the cap that the last poll() returned.
  virtual void acknowledge(Watts /*cap*/, Seconds /*took*/) {}

  // Rejects the last change: the cap cannot be held. The previous cap stays in force.
  virtual void refuse(const std::string& /*why*/) {}
};

// Returns `cap` at the first poll.
std::unique_ptr<CapSource> constant_cap(Watts cap);

// Parses one line with a power: "250W", "0.25 kW" or "250" (watts). Spaces around it and one final newline
// are allowed. Errors (invalid_input): empty, several lines, not a number, another unit, zero, negative,
// above 100 kW.
Result<Watts> parse_cap(std::string_view text);

// Appends the unit to a number without one: "10" becomes "10s". Returns other text unchanged.
std::string with_unit(std::string_view text, std::string_view unit);

// Seconds rounded to microseconds: "0.35". For acknowledgements.
std::string seconds_text(Seconds time);

}  // namespace ergon::control
