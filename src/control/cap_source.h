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
  std::string origin;  // "schedule", "file caps.txt", "socket": for the log
};

// A cap that somebody else decides, and may change at any time. Used by one thread.
class CapSource {
 public:
  virtual ~CapSource() = default;

  // What changed up to `now`, which counts from the beginning of the run and never goes back, or nothing.
  // Never waits for anybody. An error is for the operator, and is given once: the cap before it goes on
  // holding.
  virtual Result<std::optional<CapChange>> poll(Seconds now) = 0;

  // Tells whoever asked for the last change how long it took until power was below the new cap. `cap` is the
  // one that poll() gave.
  virtual void acknowledge(Watts /*cap*/, Seconds /*took*/) {}

  // Tells that the change that poll() gave last cannot be held, and why: the cap before it goes on holding.
  virtual void refuse(const std::string& /*why*/) {}
};

// One change, at the first poll.
std::unique_ptr<CapSource> constant_cap(Watts cap);

// One line with a power, "250W" or "0.25 kW". A bare number is in watts; blanks around it and one line end
// behind it are allowed. Errors, all of them invalid_input: empty, several lines, no number, another unit,
// zero, negative, or above 100 kW.
Result<Watts> parse_cap(std::string_view text);

// A bare number with the unit behind it: "10" becomes "10s". Any other text stays as it is.
std::string with_unit(std::string_view text, std::string_view unit);

// For acknowledgements: the number of seconds in whole microseconds, "0.35".
std::string seconds_text(Seconds time);

}  // namespace ergon::control
