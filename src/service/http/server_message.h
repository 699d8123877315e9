#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace ergon::service {

// The message of an error response in one line: "errorType: error" of a JSON object, as Prometheus writes it,
// otherwise the first line of text. Empty if the body is HTML or has no message.
std::string server_message(std::string_view body);

// The error for a response with a status other than 200.
Error refusal(int status, std::string_view body);

}  // namespace ergon::service
