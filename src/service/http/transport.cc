#include "service/http/transport.h"

#include <boost/asio/ip/address.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/write.hpp>
#include <cerrno>
#include <optional>
#include <sys/socket.h>
#include <sys/un.h>

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
  bool write_at_once(std::string_view text) override {
    const ::ssize_t sent =
        ::send(socket_.native_handle(), text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    return sent == static_cast<::ssize_t>(text.size());
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

// The stream, which has large buffers, is made when the handshake begins: on a server, when the client has
// sent something.
class TlsTransport final : public Transport {
 public:
  using Stream = asio::ssl::stream<Socket&>;

  // `host`: of the certificate to expect; empty on a server.
  TlsTransport(Socket socket, asio::ssl::context& context, std::string host)
      : socket_(std::move(socket)), context_(context), host_(std::move(host)) {}

  void handshake(Done done) override {
    if (!host_.empty()) {
      stream_.emplace(socket_, context_);
      expect_host();
      return shake(asio::ssl::stream_base::client, std::move(done));
    }
    socket_.async_wait(Socket::wait_read, [this, done = std::move(done)](ErrorCode error) {
      if (error) return done(error, 0);
      stream_.emplace(socket_, context_);
      shake(asio::ssl::stream_base::server, done);
    });
  }
  // What is readable is known only after decryption.
  void wait_readable(Done done) override {
    asio::post(socket_.get_executor(), [done = std::move(done)] { done({}, 0); });
  }
  void read_some(asio::mutable_buffer buffer, Done done) override {
    stream_->async_read_some(buffer, std::move(done));
  }
  void write(const Buffers& buffers, Done done) override {
    asio::async_write(*stream_, buffers, std::move(done));
  }
  bool write_at_once(std::string_view) override { return false; }  // a record may need several writes
  void end_writing(Done done) override {
    stream_->async_shutdown([done = std::move(done)](ErrorCode error) { done(error, 0); });
  }
  void close() override {
    ErrorCode ignored;
    socket_.close(ignored);
  }
  Socket& socket() override { return socket_; }

 private:
  void shake(asio::ssl::stream_base::handshake_type type, Done done) {
    stream_->async_handshake(type, [done = std::move(done)](ErrorCode error) { done(error, 0); });
  }
  void expect_host() {
    ErrorCode not_an_address;
    asio::ip::make_address(host_, not_an_address);
    // SNI is for names only (RFC 6066).
    if (not_an_address) {
      // SSL_set_tlsext_host_name is a macro with a C cast.
      SSL_ctrl(stream_->native_handle(), SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name,
               host_.data());
    }
    stream_->set_verify_callback(asio::ssl::host_name_verification(host_));
  }

  Socket socket_;
  asio::ssl::context& context_;
  std::string host_;
  std::optional<Stream> stream_;
};

}  // namespace

ErrorCode connect_at_once(asio::local::stream_protocol::socket& socket, const std::filesystem::path& file) {
  ErrorCode error;
  if (file.native().size() >= sizeof(sockaddr_un::sun_path)) return asio::error::name_too_long;
  if (!socket.is_open()) socket.open({}, error);
  if (!error) socket.native_non_blocking(true, error);
  if (error) return error;
  const asio::local::stream_protocol::endpoint endpoint(file.string());
  if (::connect(socket.native_handle(), endpoint.data(), static_cast<socklen_t>(endpoint.size())) != 0)
    return {errno, boost::system::system_category()};
  return {};
}

std::unique_ptr<Transport> plain_transport(Socket socket) {
  return std::make_unique<PlainTransport>(std::move(socket));
}

std::unique_ptr<Transport> accepted_tls(Socket socket, asio::ssl::context& context) {
  return std::make_unique<TlsTransport>(std::move(socket), context, std::string());
}

std::unique_ptr<Transport> requested_tls(Socket socket, asio::ssl::context& context,
                                         const std::string& host) {
  return std::make_unique<TlsTransport>(std::move(socket), context, host);
}

}  // namespace ergon::service
