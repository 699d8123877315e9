#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ergon::service {

// Why a command failed, for the user: its last message, or how it ended. `signal`: the one that ended it, if
// one did.
std::string failure_reason(int exit_code, std::optional<int> signal, std::string_view last_message);

}  // namespace ergon::service
