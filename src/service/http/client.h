#pragma once

#include <stop_token>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/units.h"
#include "service/http/url.h"

namespace ergon::service {

struct HttpOptions {
  Seconds timeout{120};                            // for the complete response
  std::size_t max_bytes = std::size_t{256} << 20;  // of the response, after decompression
  std::string token;                               // bearer token; empty: none
};

// Sends a GET request and returns the response body. `path_and_query` starts with a slash, is URL-encoded and
// is appended to the URL's prefix. Blocks, on a new connection. Redirections are not followed, so that no
// token is sent to another host. A stop request takes effect at once, or within 10 s while connecting. The
// program must ignore SIGPIPE.
//
// Errors name the URL without its query: unsupported (built without HTTP or TLS), cancelled, the server's
// message for a status other than 200 (refusal()), and io for everything else.
Result<std::string> get(const Url& url, std::string_view path_and_query, const HttpOptions& options,
                        const std::stop_token& stop);

}  // namespace ergon::service
