#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/units.h"
#include "service/http/url.h"
#include "service/message.h"

namespace ergon::service {

struct HttpOptions {
  Seconds timeout{120};                           // for the complete response
  std::size_t max_bytes = std::size_t{64} << 20;  // of the response, after decompression
  std::size_t max_header_bytes = std::size_t{64}
                                 << 10;    // of the response; also of a chunk header and the trailer
  std::string token = {};                  // bearer token; empty: none
  std::filesystem::path authorities = {};  // certificates to trust (PEM); empty: the system's
};

// Sends a GET request and returns the response body. `path_and_query` starts with a slash, is URL-encoded and
// is appended to the URL's prefix. Blocks, on a new connection. Redirections are not followed, so that no
// token is sent to another host. A stop request takes effect at once, but after the lookup of the host's
// name.
//
// Errors name the URL without its query: unsupported (built without HTTP), cancelled, permission (the
// server's certificate is not trusted), the server's message for a status other than 200 (refusal()), and io
// for everything else.
Result<std::string> get(const Url& url, std::string_view path_and_query, const HttpOptions& options,
                        const std::stop_token& stop);

// A request of an HttpClient.
struct ClientRequest {
  std::string method = "GET";
  std::string target = "/";  // URL-encoded
  Fields headers = {};       // besides Host, Content-Length and Transfer-Encoding
  std::string body = {};
  // If set, the body is sent as it is made (chunked): called until it returns an empty text.
  std::function<Result<std::string>()> stream_body = {};
};

struct ClientResponse {
  int status = 0;
  Fields headers;  // names in lower case

  // Empty if absent.
  std::string_view header(std::string_view lower_case_name) const;
};

// A connection to a server, kept alive between requests: send(), then read_body() until it returns an empty
// text, and so on. Blocks. Used by one thread. Every failure ends the connection.
class HttpClient {
 public:
  static Result<HttpClient> connect(const Url& url, const HttpOptions& options, const std::stop_token& stop);
  HttpClient(HttpClient&&) noexcept;
  HttpClient& operator=(HttpClient&&) noexcept;
  ~HttpClient();

  // Sends a request and returns the head of the response. The time limit begins anew.
  Result<ClientResponse> send(const ClientRequest& request);
  // The next piece of the body, as it was sent (not decompressed); empty at its end.
  Result<std::string> read_body();
  // Whether the server accepts another request on this connection, when the body has been read.
  bool reusable() const;

 private:
  class Exchange;
  explicit HttpClient(std::unique_ptr<Exchange> exchange);

  std::unique_ptr<Exchange> exchange_;
};

}  // namespace ergon::service
