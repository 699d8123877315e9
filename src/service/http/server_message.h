#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace ergon::service {

// What a server said about a request it refused, in one line: the "error" of a JSON object with its
// "errorType" before it, as Prometheus writes them, or else the first line of text. "" where it said nothing
// that is meant for people.
std::string server_message(std::string_view body);

// A status other than 200, and what was said with it, as a failure.
Error refusal(int status, std::string_view body);

}  // namespace ergon::service
