#pragma once

#include <string_view>

#include "base/result.h"
#include "base/timestamp.h"

namespace ergon::fleet {

// "now", "now-2h", or ISO 8601 (parse_timestamp). `option` is the CLI option, for error messages.
Result<Timestamp> parse_time_argument(std::string_view text, Timestamp now, std::string_view option);

}  // namespace ergon::fleet
