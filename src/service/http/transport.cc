#include "service/http/transport.h"

#include <boost/asio/ip/address.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/write.hpp>
#include <sys/socket.h>

namespace ergon::service {
namespace {

class PlainTransport final : public Transport {
 public:
  explicit PlainTransport(Socket socket) : socket_(std::move(socket)) {}

  void handshake(Done done) override {
    asio::post(socket_.get_executor(), [done = std::move(done)] { done({}, 0); });
  }
  void wait_readable(Done done) override {
    socket_.async_wait(Socket::wait_read, [done = std::move(done)](ErrorCode error) { done(error, 0); });
  }
  void read_some(asio::mutable_buffer buffer, Done done) override {
    socket_.async_read_some(buffer, std::move(done));
  }
  void write(const Buffers& buffers, Done done) override {
    asio::async_write(socket_, buffers, std::move(done));
  }
  void end_writing(Done done) override {
    ErrorCode error;
    socket_.shutdown(Socket::shutdown_send, error);
    asio::post(socket_.get_executor(), [done = std::move(done), error] { done(error, 0); });
  }
  void close() override {
    ErrorCode ignored;
    socket_.close(ignored);
  }
  Socket& socket() override { return socket_; }

 private:
  Socket socket_;
};

class TlsTransport final : public Transport {
 public:
  using Stream = asio::ssl::stream<Socket>;

  TlsTransport(Socket socket, asio::ssl::context& context, asio::ssl::stream_base::handshake_type type)
      : stream_(std::move(socket), context), type_(type) {}

  void expect_host(const std::string& host) {
    ErrorCode not_an_address;
    asio::ip::make_address(host, not_an_address);
    // SNI is for names only (RFC 6066).
    if (not_an_address) {
      // SSL_set_tlsext_host_name is a macro with a C cast.
      std::string name = host;
      SSL_ctrl(stream_.native_handle(), SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name, name.data());
    }
    stream_.set_verify_callback(asio::ssl::host_name_verification(host));
  }

  void handshake(Done done) override {
    stream_.async_handshake(type_, [done = std::move(done)](ErrorCode error) { done(error, 0); });
  }
  // What is readable is known only after decryption.
  void wait_readable(Done done) override {
    asio::post(stream_.get_executor(), [done = std::move(done)] { done({}, 0); });
  }
  void read_some(asio::mutable_buffer buffer, Done done) override {
    stream_.async_read_some(buffer, std::move(done));
  }
  void write(const Buffers& buffers, Done done) override {
    asio::async_write(stream_, buffers, std::move(done));
  }
  void end_writing(Done done) override {
    stream_.async_shutdown([done = std::move(done)](ErrorCode error) { done(error, 0); });
  }
  void close() override {
    ErrorCode ignored;
    stream_.next_layer().close(ignored);
  }
  Socket& socket() override { return stream_.next_layer(); }

 private:
  Stream stream_;
  asio::ssl::stream_base::handshake_type type_;
};

}  // namespace

std::unique_ptr<Transport> plain_transport(Socket socket) {
  return std::make_unique<PlainTransport>(std::move(socket));
}

std::unique_ptr<Transport> accepted_tls(Socket socket, asio::ssl::context& context) {
  return std::make_unique<TlsTransport>(std::move(socket), context, asio::ssl::stream_base::server);
}

std::unique_ptr<Transport> requested_tls(Socket socket, asio::ssl::context& context,
                                         const std::string& host) {
  auto transport = std::make_unique<TlsTransport>(std::move(socket), context, asio::ssl::stream_base::client);
  transport->expect_host(host);
  return transport;
}

bool closed_by_peer(Socket& socket) {
  char byte = 0;
  return socket.is_open() && ::recv(socket.native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

}  // namespace ergon::service
