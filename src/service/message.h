#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace ergon::service {

using Fields = std::vector<std::pair<std::string, std::string>>;

// What somebody asks, as HTTP has it.
struct Request {
  std::string method = "GET";
  std::string path;  // decoded, without the query
  Fields query;      // decoded, in the order of names
  Fields headers;    // names in lower case
  std::string body;

  // "" where it is not there.
  std::string_view header(std::string_view lower_case_name) const;
};

struct Response {
  int status = 200;
  std::string type = "application/json";
  std::string body;
  Fields headers;

  // An answer that goes on, instead of a body. Called again and again, from one thread, until it says false
  // or the other side goes away; it should come back every second or so. `write` says whether the other side
  // is still there.
  using Write = std::function<bool(std::string_view)>;
  std::function<bool(const Write& write)> stream;
};

// Any thread, many at once.
using Handler = std::function<Response(const Request&)>;

// {"error": {"kind": "...", "message": "..."}}
Response error_response(int status, std::string_view kind, std::string_view message);
// With the status of the failure's kind.
Response error_response(const Error& error);
Response json_response(std::string text, int status = 200);

}  // namespace ergon::service
