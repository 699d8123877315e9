#pragma once

#include <stop_token>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/units.h"
#include "service/http/url.h"

namespace ergon::service {

struct Access {
  Seconds timeout{120};                             // until the whole answer is there
  std::size_t most_bytes = std::size_t{256} << 20;  // of an answer, once expanded
  std::string token;                                // sent as a bearer's, unless it is empty
};

// What a server answers to GET. `path_and_query` begins with a slash, is encoded as URLs are, and goes below
// the URL's prefix. Waits for the answer, on a connection of its own; redirections are not followed, so that
// a token goes nowhere else. A request to stop is obeyed at once, but for up to ten seconds while connecting.
// The program must ignore SIGPIPE.
//
// Errors name the URL, without its query: unsupported (built without HTTP, or without TLS), cancelled, what
// the server said of a status other than 200 (refusal()), and io for everything else.
Result<std::string> get(const Url& url, std::string_view path_and_query, const Access& access,
                        const std::stop_token& stop);

}  // namespace ergon::service
