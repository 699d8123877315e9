#pragma once

#include <array>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/ssl/context.hpp>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "service/http/asio.h"

namespace ergon::service {

using Socket = asio::generic::stream_protocol::socket;

// A connected byte stream: TCP or a Unix socket, plain or with TLS. One read and one write may be pending at
// a time; their buffers must stay valid until `done` is called. Used by one thread.
class Transport {
 public:
  using Done = std::function<void(ErrorCode, std::size_t)>;
  using Buffers = std::array<asio::const_buffer, 2>;

  virtual ~Transport() = default;

  virtual void handshake(Done done) = 0;
  // Waits until read_some() would return at once; without TLS this needs no buffer.
  virtual void wait_readable(Done done) = 0;
  virtual void read_some(asio::mutable_buffer buffer, Done done) = 0;
  // Writes everything.
  virtual void write(const Buffers& buffers, Done done) = 0;
  // Writes a short text without waiting, while no write is pending. Returns false if that is not possible.
  virtual bool write_at_once(std::string_view text) = 0;
  // Tells the peer that nothing more is written.
  virtual void end_writing(Done done) = 0;
  // Pending operations end with an error.
  virtual void close() = 0;

  virtual Socket& socket() = 0;
};

// Connects to a Unix socket without waiting. The error is would_block if its queue of connections is full;
// Asio's own functions wait for that without limit, or report a connection that does not exist.
ErrorCode connect_at_once(asio::local::stream_protocol::socket& socket, const std::filesystem::path& file);

std::unique_ptr<Transport> plain_transport(Socket socket);
std::unique_ptr<Transport> accepted_tls(Socket socket, asio::ssl::context& context);
// Verifies that the certificate is that of `host`.
std::unique_ptr<Transport> requested_tls(Socket socket, asio::ssl::context& context, const std::string& host);

}  // namespace ergon::service
