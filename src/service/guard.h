#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "service/message.h"

namespace ergon::service {

// Compares two strings in a time that depends only on the length of `given`.
bool equal_in_constant_time(std::string_view secret, std::string_view given);

// Accepts or rejects requests. Without a token, every local process may send requests, but web pages of other
// sites that are open in a local browser may not:
//   - DNS rebinding is prevented by checking the Host header,
//   - cross-site request forgery is prevented by requiring a JSON body (which needs a CORS preflight) and an
//     Origin equal to the host for every request that changes state.
class Guard {
 public:
  // An empty token disables authentication; use that on loopback only.
  Guard(bool loopback, std::string token) : loopback_(loopback), token_(std::move(token)) {}

  // The error response, or empty if the request is accepted. The page itself needs no token; it asks for one.
  std::optional<Response> refusal(const Request& request) const;

 private:
  bool loopback_;
  std::string token_;
};

// True for "localhost", "::1" and 127.0.0.0/8.
bool is_loopback(std::string_view host);

}  // namespace ergon::service
