#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace ergon::service {

// Where a server is, and below which path it answers.
struct Url {
  bool secure = false;  // https
  std::string host;     // IPv6 without its brackets
  int port = 80;
  std::string prefix;  // "" or "/path", without a slash at its end

  friend bool operator==(const Url&, const Url&) = default;
};

// "http://host:9090/prefix", "https://host", or "host:9090". An error for everything that would be left out
// silently: a query, a fragment, a user's name, other schemes. Passwords are not repeated in it.
Result<Url> parse_url(std::string_view text);

// As it is typed; a port that goes without saying is not said.
std::string to_text(const Url& url);

}  // namespace ergon::service
