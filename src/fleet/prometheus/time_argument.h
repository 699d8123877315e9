#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/timestamp.h"
#include "base/units.h"

namespace ergon::fleet {

// A time given by a user: "now", "now-2h", or ISO 8601 (parse_timestamp).
class TimeArgument {
 public:
  // "now".
  TimeArgument() = default;
  // `option` is the CLI option, for error messages.
  static Result<TimeArgument> parse(std::string_view text, std::string_view option);

  // Errors: before 1970 or after now.
  Result<Timestamp> at(Timestamp now) const;

 private:
  std::string text_, option_;
  std::optional<Timestamp> absolute_;
  Seconds before_now_;  // if not absolute
};

}  // namespace ergon::fleet
