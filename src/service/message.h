#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace ergon::service {

// Port on which `ergon serve` listens by default.
inline constexpr int kDefaultPort = 8377;
inline constexpr int kMaxPort = 65535;

using Fields = std::vector<std::pair<std::string, std::string>>;

// An HTTP request.
struct Request {
  std::string method = "GET";
  std::string path;  // decoded, without the query
  Fields query;      // decoded, sorted by name
  Fields headers;    // names in lower case
  std::string body;

  // Empty if absent.
  std::string_view header(std::string_view lower_case_name) const;
};

struct Response {
  int status = 200;
  std::string type = "application/json";
  std::string body;
  Fields headers;

  // Streams the body, if set. Called repeatedly from one thread until it returns false or the client
  // disconnects; each call should return within about a second. `write` returns false if the client is gone.
  using Write = std::function<bool(std::string_view)>;
  std::function<bool(const Write& write)> stream;
};

// Called from many threads at a time.
using Handler = std::function<Response(const Request&)>;

// {"error": {"kind": "...", "message": "..."}}
Response error_response(int status, std::string_view kind, std::string_view message);
// With the HTTP status of the error kind.
Response error_response(const Error& error);
Response json_response(std::string text, int status = 200);

}  // namespace ergon::service
