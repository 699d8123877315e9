#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "base/result.h"
#include "base/units.h"
#include "service/message.h"

namespace ergon::service {

struct ServerLimits {
  std::size_t max_header_bytes = std::size_t{16} << 10;  // of all headers with the request line; more get 431
  std::size_t max_headers = 100;                         // more get 431
  std::size_t max_target_bytes = std::size_t{8} << 10;   // of a URL; longer ones get 414
  std::size_t max_request_bytes = std::size_t{1} << 20;  // of a body; larger ones get 413
  // At a time. Further ones take the place of the one that has been idle, has been sending its request, or
  // has not read its response for longest.
  std::size_t max_connections = 4096;
  std::size_t max_tls_connections = 192;  // the same with TLS, which takes some 85 KiB for each
  // Unfinished requests of all connections together, besides 1 KiB for each. More take the place of the
  // oldest.
  std::size_t max_input_bytes = std::size_t{8} << 20;
  // Responses that were made for one request, of all connections together. More get 503.
  std::size_t max_output_bytes = std::size_t{8} << 20;
  // Memory of the kernel: what clients have not read of responses, and what the server has not read of
  // requests, of all connections together. More takes the place of a client that does not read; large
  // responses get 503 if there is none.
  std::size_t max_socket_bytes = std::size_t{64} << 20;

  Seconds request_timeout{10};         // from the first to the last byte of a request's head
  Seconds keep_alive{60};              // between two requests
  Seconds response_timeout{60};        // of the handler; then 503
  Seconds write_timeout{10};           // of a response, or of a piece of a stream
  Seconds stop_timeout{2};             // of everything, once the server stops
  BytesPerSecond min_rate{64 * 1024};  // extends the time for large bodies and responses

  std::size_t quick_threads = 6;   // handlers at a time; further requests wait
  std::size_t costly_threads = 0;  // the same in Lane::costly; 0: one per processor
  std::size_t max_waiting = 64;    // requests that wait for a thread in Lane::costly; further ones get 503
  std::size_t max_streams = 80;    // responses with Response::stream at a time; further ones get 503
};

// Files in PEM format: the certificate followed by its chain, and its private key.
struct TlsFiles {
  std::filesystem::path certificate, key;
};

// Where a server listens: an address and a port (0: any free port), or a Unix socket.
struct ListenAddress {
  std::string host = "127.0.0.1";
  int port = 0;
  std::filesystem::path socket = {};  // not empty: a Unix socket, of mode 0660, removed at the end
  std::optional<TlsFiles> tls = {};   // https
};

// What a server serves. `answer` is called from many threads at a time; if it throws, the status is 500.
// `admit` is called from one thread and must not wait; without it, every request is admitted to Lane::quick.
struct Service {
  Handler answer;
  std::function<Admission(const Request& head)> admit = {};
};

// An HTTP/1.1 server, independent of what it serves. Connections are kept alive and cost a few hundred bytes
// while they are idle; one thread reads and writes for all of them.
class Server {
 public:
  // Errors: the address is in use, does not belong to this machine or needs privileges; invalid certificate
  // or key; built without HTTP.
  static Result<std::unique_ptr<Server>> listen(const ListenAddress& address, const ServerLimits& limits);
  virtual ~Server() = default;

  virtual int port() const = 0;
  // Serves until a stop is requested. Then finishes responses in progress and ends streams.
  virtual void serve(const Service& service, const std::stop_token& stop) = 0;
};

}  // namespace ergon::service
