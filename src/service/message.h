#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
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

// The process at the other end of a Unix socket, as the kernel knows it.
struct PeerCredentials {
  std::int64_t process = 0;
  std::uint32_t user = 0, group = 0;
};

// An HTTP request.
struct Request {
  std::string method = "GET";
  std::string path;  // decoded, without the query
  Fields query;      // decoded, sorted by name
  Fields headers;    // names in lower case; values as sent
  std::string body;
  std::optional<PeerCredentials> peer;
  std::stop_token stop;  // requested when the client leaves, the time is over, or the server ends

  // Reads the next piece of the body; empty at its end. Set if the request was admitted with stream_body, in
  // which case `body` is empty. Waits for the client; called from one thread.
  std::function<Result<std::string>()> read_body;

  // Empty if absent.
  std::string_view header(std::string_view lower_case_name) const;
};

struct Response {
  int status = 200;
  std::string type = "application/json";
  std::string body;
  Fields headers;

  // Instead of `body`: text that outlives the response, or that `owner` keeps alive. It is not copied.
  std::string_view shared_body = {};
  std::shared_ptr<const void> owner = {};
  std::string_view content() const { return body.empty() ? shared_body : std::string_view(body); }

  // Streams the body, if set. Called repeatedly from one thread until it returns false or the client
  // disconnects; each call should return within about a second. `write` returns false if the client is gone.
  using Write = std::function<bool(std::string_view)>;
  std::function<bool(const Write& write)> stream;
};

// Which threads handle a request. Costly requests have few, of low priority, so that quick ones do not wait
// for them.
enum class Lane { quick, costly };

// How a request is treated; decided from its head, before its body is read.
struct Admission {
  std::optional<Response> response;  // known already: a refusal, or a cached document. The body is not read
  Lane lane = Lane::quick;
  bool stream_body = false;  // the handler reads the body, of any length, with Request::read_body
};

// Called from many threads at a time.
using Handler = std::function<Response(const Request&)>;

// {"error": {"kind": "...", "message": "..."}}
Response error_response(int status, std::string_view kind, std::string_view message);
// With the HTTP status of the error kind.
Response error_response(const Error& error);
Response json_response(std::string text, int status = 200);
Response shared_json_response(std::shared_ptr<const std::string> text);

}  // namespace ergon::service
