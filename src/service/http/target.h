#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "service/message.h"

namespace ergon::service {

// The target of a request: path and query, decoded.
struct Target {
  std::string path;
  Fields query;  // sorted by name
};

// Parses "/a%20b?x=1&y=a+b". Only this form is accepted ("origin-form" in RFC 9112); in the query, a plus
// sign is a space. Errors: invalid_input for other forms, incomplete escapes and NUL.
Result<Target> parse_target(std::string_view text);

}  // namespace ergon::service
