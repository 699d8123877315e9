#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ergon::service {

// Address of a server and path prefix of its API.
struct Url {
  bool secure = false;  // https
  std::string host;     // IPv6 without brackets
  int port = 80;
  std::string prefix;                 // "" or "/path", without a trailing slash
  std::filesystem::path socket = {};  // not empty: a Unix socket, instead of host and port

  friend bool operator==(const Url&, const Url&) = default;
};

// Parses "http://host:9090/prefix", "https://host" or "host:9090". Rejects what would be ignored: a query, a
// fragment, user names, other schemes. Error messages never contain passwords.
Result<Url> parse_url(std::string_view text);

// Omits the default port.
std::string to_text(const Url& url);

}  // namespace ergon::service
