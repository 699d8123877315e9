#pragma once

#include <string_view>

#include "base/result.h"
#include "base/timestamp.h"

namespace ergon::fleet {

// "now", "now-2h", or ISO 8601 (parse_timestamp). `asker` names who wants it, for the error message.
Result<Timestamp> parse_moment(std::string_view text, Timestamp now, std::string_view asker);

}  // namespace ergon::fleet
