#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace ergon::service {

// Whether a bearer token can be sent in a header: printable ASCII without spaces. An empty token can.
bool fits_in_header(std::string_view token);

// Checks the token of a server that listens on `host`; empty: none. Errors: characters that do not fit in a
// header, a token that is easily guessed, or no token for an address other than loopback.
Result<> check_token(std::string_view token, std::string_view host);

}  // namespace ergon::service
