#include "service/token.h"

#include <algorithm>

#include "service/guard.h"

namespace ergon::service {
namespace {

constexpr std::size_t kMinTokenLength = 16;

}  // namespace

bool fits_in_header(std::string_view token) {
  return std::all_of(token.begin(), token.end(), [](char c) { return c > ' ' && c < 0x7f; });
}

Result<> check_token(std::string_view token, std::string_view host) {
  if (!fits_in_header(token))
    return fail(Errc::invalid_input, "the token contains characters other than printable ASCII");
  if (!token.empty() && token.size() < kMinTokenLength)
    return fail(Errc::invalid_input, "the token is shorter than {} characters; try: openssl rand -hex 24",
                kMinTokenLength);
  if (token.empty() && !is_loopback(host)) {
    return fail(Errc::permission,
                "--host {} needs a token: set --token-file or ERGON_TOKEN, or use 127.0.0.1", host);
  }
  return {};
}

}  // namespace ergon::service
