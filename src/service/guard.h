#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "service/message.h"

namespace ergon::service {

// Compares two strings in a time that depends only on the length of `given`.
bool equal_in_constant_time(std::string_view secret, std::string_view given);

// Accepts or rejects requests. With a token, everything but the files of the page needs it. Without one,
// every local process may send requests. Either way, web pages of other sites that are open in a browser may
// not:
//   - DNS rebinding is prevented by checking the Host header,
//   - requests of other sites are recognized by the Origin and Sec-Fetch-Site headers, also those that only
//   read: they
//     could still start costly computations,
//   - requests that change state need a JSON body, too (for which a browser asks with a CORS preflight).
class Guard {
 public:
  // An empty token disables authentication; use that on loopback only.
  Guard(bool loopback, std::string token) : loopback_(loopback), token_(std::move(token)) {}

  // The error response, or empty if the request is accepted. Needs only the head of the request. The files of
  // the page need no token: they contain no data, and the page asks for the token.
  std::optional<Response> refusal(const Request& request) const;

 private:
  bool loopback_;
  std::string token_;
};

// True for "localhost", "::1" and 127.0.0.0/8.
bool is_loopback(std::string_view host);

}  // namespace ergon::service
