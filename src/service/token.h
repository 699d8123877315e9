#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ergon::service {

// Whether a bearer token can be sent in a header: printable ASCII without spaces. An empty token can.
bool fits_in_header(std::string_view token);

// Checks the token of a server that listens on `host`; empty: none. Errors: characters that do not fit in a
// header, a token that is easily guessed, or no token for an address other than loopback.
Result<> check_token(std::string_view token, std::string_view host);

// 192 random bits in hexadecimal digits.
std::string new_token();

// The token in a file of this user that nobody else can read, or a new one, which is written there with mode
// 0600. The token stays the same across restarts, so that links, scripts and a Prometheus can be configured
// once. Errors: others can read or replace the file; it contains no valid token; it cannot be written.
Result<std::string> stored_token(const std::filesystem::path& file);

}  // namespace ergon::service
