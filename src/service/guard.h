#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "service/message.h"

namespace ergon::service {

// Whether two texts are equal, in a time that tells nothing but how long `given` is.
bool equal_in_constant_time(std::string_view secret, std::string_view given);

// Decides who may ask. Whoever can open a socket on loopback may, unless there is a token; but pages of other
// sites, which a browser on this machine may have open, may not:
//   - a name that was bound to loopback by somebody else's name server is refused by the Host header,
//   - whatever changes something has to be JSON, which a browser sends across sites only when asked first,
//     and its Origin has to be the host itself.
class Guard {
 public:
  // Without a token everybody is welcome, so that is for loopback alone.
  Guard(bool loopback, std::string token) : loopback_(loopback), token_(std::move(token)) {}

  // The refusal, or nothing. The page itself has no secrets and needs no token: it asks for one.
  std::optional<Response> refusal(const Request& request) const;

 private:
  bool loopback_;
  std::string token_;
};

// "127.0.0.1", "::1", "localhost", and all of 127.0.0.0/8.
bool is_loopback(std::string_view host);

}  // namespace ergon::service
