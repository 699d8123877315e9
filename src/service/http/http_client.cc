// HttpClient: one thread, which runs the io_context until the operation it waits for is complete, the time is
// over, or a stop is requested.

#include <algorithm>
#include <array>
#include <boost/asio/connect.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/ssl/error.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/buffer_body.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/parser.hpp>
#include <chrono>
#include <optional>

#include <fmt/format.h>

#include "base/file.h"
#include "base/text.h"
#include "base/units_text.h"
#include "service/http/client.h"
#include "service/http/deadline.h"
#include "service/http/response_head.h"
#include "service/http/tls.h"
#include "service/http/transport.h"

namespace ergon::service {
namespace {

namespace http = boost::beast::http;
using asio::ip::tcp;

constexpr Seconds kMaxConnectTime{10};
constexpr std::chrono::milliseconds kRetryConnect{10};
constexpr std::size_t kBlock = std::size_t{16} << 10;
constexpr int kMaxInterim = 100;  // "100 Continue" and the like before a response

std::string authority_of(const Url& url) {
  if (!url.socket.empty()) return "localhost";
  const std::string host = url.host.find(':') == std::string::npos ? url.host : "[" + url.host + "]";
  return fmt::format("{}:{}", host, url.port);
}

bool sends_body(const ClientRequest& request) {
  return !request.body.empty() || request.method == "POST" || request.method == "PUT";
}

std::string request_head(const Url& url, const ClientRequest& request) {
  std::string head = fmt::format("{} {}{} HTTP/1.1\r\nHost: {}\r\n", request.method, url.prefix,
                                 request.target, authority_of(url));
  for (const auto& [name, value] : request.headers) head += fmt::format("{}: {}\r\n", name, value);
  if (request.stream_body) {
    head += "Transfer-Encoding: chunked\r\n";
  } else if (sends_body(request)) {
    head += fmt::format("Content-Length: {}\r\n", request.body.size());
  }
  return head + "\r\n";
}

bool has_line_break(const ClientRequest& request) {
  const auto broken = [](std::string_view text) {
    return text.find_first_of("\r\n") != std::string_view::npos;
  };
  return broken(request.method) || broken(request.target) ||
         std::any_of(request.headers.begin(), request.headers.end(),
                     [&](const auto& field) { return broken(field.first) || broken(field.second); });
}

}  // namespace

std::string_view ClientResponse::header(std::string_view lower_case_name) const {
  for (const auto& [name, value] : headers) {
    if (name == lower_case_name) return value;
  }
  return {};
}

class HttpClient::Exchange {
 public:
  Exchange(Url url, HttpOptions options, std::stop_token stop)
      : url_(std::move(url)), options_(std::move(options)), stop_(std::move(stop)) {}

  Result<> connect();
  Result<ClientResponse> send(const ClientRequest& request);
  Result<std::string> read_body();
  bool reusable() const { return transport_ && parser_ && parser_->is_done() && parser_->keep_alive(); }

 private:
  // Waits until an operation has called back. `ErrorCode` is that of the operation.
  template <typename Start>
  Result<ErrorCode> wait_for(Seconds limit, const Start& start);
  Result<> connect_socket(Socket& socket);
  Result<> write(std::string_view text);
  Result<> read_more();
  void begin_response();
  Result<Socket> connect_unix(Seconds limit);
  Error disconnected() { return fail(Errc::io, "the connection closed before the response was complete"); }
  Seconds time_left() const;

  Url url_;
  HttpOptions options_;
  std::stop_token stop_;
  asio::io_context io_{1};
  std::unique_ptr<asio::ssl::context> tls_;
  std::unique_ptr<Transport> transport_;
  SteadyTime due_ = after(std::chrono::steady_clock::now(), options_.timeout);
  boost::beast::flat_buffer input_;
  std::optional<http::response_parser<http::buffer_body>> parser_;
  std::size_t last_read_ = 0, received_ = 0;
  bool head_only_ = false, ended_by_peer_ = false;
};

Seconds HttpClient::Exchange::time_left() const {
  return Seconds{std::chrono::duration<double>(due_ - std::chrono::steady_clock::now()).count()};
}

template <typename Start>
Result<ErrorCode> HttpClient::Exchange::wait_for(Seconds limit, const Start& start) {
  if (stop_.stop_requested()) return fail(Errc::cancelled, "interrupted");
  // Shared: an operation that is abandoned still calls back when the io_context ends.
  const auto outcome = std::make_shared<std::optional<ErrorCode>>();
  start([outcome](const ErrorCode& error) { *outcome = error; });
  const std::stop_callback on_stop(stop_, [this] { asio::post(io_, [] {}); });
  const auto until = after(std::chrono::steady_clock::now(), limit);
  io_.restart();
  while (!*outcome && !stop_.stop_requested() && std::chrono::steady_clock::now() < until)
    io_.run_one_until(until);
  if (*outcome) return **outcome;
  if (transport_) transport_->close();
  if (stop_.stop_requested()) return fail(Errc::cancelled, "interrupted");
  return fail(Errc::io, "no complete response within {}", to_text(options_.timeout));
}

// The kernel does not tell when the queue of a Unix socket has room again.
Result<Socket> HttpClient::Exchange::connect_unix(Seconds limit) {
  const auto until = after(std::chrono::steady_clock::now(), limit);
  asio::local::stream_protocol::socket local(io_);
  while (true) {
    const ErrorCode error = connect_at_once(local, url_.socket);
    if (!error) return Socket(std::move(local));
    if (error != asio::error::would_block) return errno_error(error.value());
    if (std::chrono::steady_clock::now() >= until)
      return fail(Errc::io, "cannot connect within {}", to_text(limit));
    const auto pause = std::make_shared<asio::steady_timer>(io_, kRetryConnect);
    const auto waited =
        wait_for(limit, [&](auto done) { pause->async_wait([pause, done](ErrorCode code) { done(code); }); });
    if (!waited) return waited.error();
  }
}

Result<> HttpClient::Exchange::connect_socket(Socket& socket) {
  const Seconds limit = std::min(options_.timeout, kMaxConnectTime);
  const auto late = [&] { return fail(Errc::io, "cannot connect within {}", to_text(limit)); };
  ErrorCode error;
  if (!url_.socket.empty()) {
    auto local = connect_unix(limit);
    if (!local) return local.error().in(url_.socket.string());
    socket = std::move(*local);
    return {};
  }
  tcp::resolver resolver(io_);
  const auto found = std::make_shared<tcp::resolver::results_type>();
  auto resolved = wait_for(limit, [&](auto done) {
    resolver.async_resolve(url_.host, std::to_string(url_.port), tcp::resolver::numeric_service,
                           [found, done](ErrorCode code, const tcp::resolver::results_type& results) {
                             *found = results;
                             done(code);
                           });
  });
  if (!resolved) return resolved.error().kind == Errc::io ? late() : resolved.error();
  if (*resolved) return fail(Errc::io, "cannot find the address of {}", printable(url_.host));
  const auto tcp_socket = std::make_shared<tcp::socket>(io_);
  auto connected = wait_for(limit, [&](auto done) {
    asio::async_connect(*tcp_socket, *found,
                        [tcp_socket, found, done](ErrorCode code, const tcp::endpoint&) { done(code); });
  });
  if (!connected) return connected.error().kind == Errc::io ? late() : connected.error();
  if (*connected) return fail(Errc::io, "cannot connect; check that the server runs and the port is right");
  tcp_socket->set_option(tcp::no_delay(true), error);
  socket = Socket(std::move(*tcp_socket));
  return {};
}

Result<> HttpClient::Exchange::connect() {
  Socket socket(io_);
  if (auto connected = connect_socket(socket); !connected) return connected;
  if (!url_.secure) {
    transport_ = plain_transport(std::move(socket));
    return {};
  }
  auto context = client_tls(options_.authorities);
  if (!context) return context.error();
  tls_ = std::move(*context);
  transport_ = requested_tls(std::move(socket), *tls_, url_.host);
  const auto shaken = wait_for(time_left(), [&](auto done) {
    transport_->handshake([done](ErrorCode error, std::size_t) { done(error); });
  });
  if (!shaken) return shaken.error();
  if (!*shaken) return {};
  if (shaken->category() == asio::error::get_ssl_category() &&
      ERR_GET_REASON(static_cast<unsigned long>(shaken->value())) == SSL_R_CERTIFICATE_VERIFY_FAILED)
    return fail(Errc::permission, "the server's certificate is not trusted; set SSL_CERT_FILE");
  return fail(Errc::io, "the server does not use TLS; try http instead of https");
}

Result<> HttpClient::Exchange::write(std::string_view text) {
  const auto written = wait_for(time_left(), [&](auto done) {
    transport_->write({asio::buffer(text), asio::const_buffer()},
                      [done](ErrorCode error, std::size_t) { done(error); });
  });
  if (!written) return written.error();
  if (*written) return disconnected();
  return {};
}

Result<> HttpClient::Exchange::read_more() {
  last_read_ = 0;
  const auto read = wait_for(time_left(), [&](auto done) {
    transport_->read_some(input_.prepare(kBlock), [this, done](ErrorCode error, std::size_t got) {
      last_read_ = got;
      done(error);
    });
  });
  if (!read) return read.error();
  input_.commit(last_read_);
  if (!*read) return {};
  // A TLS stream that ends without saying so may have been cut by somebody in between.
  ended_by_peer_ = *read == asio::error::eof;
  if (!ended_by_peer_) return disconnected();
  return {};
}

void HttpClient::Exchange::begin_response() {
  parser_.emplace();
  parser_->header_limit(static_cast<std::uint32_t>(options_.max_header_bytes));
  parser_->body_limit(kNoBodyLimit);
  if (head_only_) parser_->skip(true);
}

Result<ClientResponse> HttpClient::Exchange::send(const ClientRequest& request) {
  if (!transport_) return disconnected();
  if (has_line_break(request)) return fail(Errc::invalid_input, "a header contains a line break");
  due_ = after(std::chrono::steady_clock::now(), options_.timeout);
  head_only_ = request.method == "HEAD";
  begin_response();
  received_ = 0;
  int interim = 0;
  if (auto sent = write(request_head(url_, request) + (request.stream_body ? "" : request.body)); !sent)
    return sent.error();
  while (request.stream_body) {
    const auto piece = request.stream_body();
    if (!piece) return piece.error();
    if (auto sent = write(chunk(*piece)); !sent) return sent.error();
    if (piece->empty()) break;
  }
  while (!parser_->is_header_done()) {
    if (input_.size() == 0 || ended_by_peer_) {
      if (ended_by_peer_) return disconnected();
      if (auto more = read_more(); !more) return more.error();
    }
    ErrorCode error;
    input_.consume(parser_->put(input_.data(), error));
    if (error == http::error::need_more) {
      if (ended_by_peer_) return disconnected();
      if (auto more = read_more(); !more) return more.error();
    } else if (error == http::error::header_limit) {
      return fail(Errc::io, "the headers of the response are larger than {}",
                  to_text(Bytes{static_cast<double>(options_.max_header_bytes)}));
    } else if (error) {
      return fail(Errc::io, "the response is not HTTP ({})", error.message());
    } else if (parser_->is_header_done() && parser_->get().result_int() < 200) {
      if (++interim > kMaxInterim) return fail(Errc::io, "more than {} interim responses (1xx)", kMaxInterim);
      begin_response();
    }
  }
  const auto& message = parser_->get();
  ClientResponse response{.status = static_cast<int>(message.result_int()), .headers = {}};
  for (const auto& field : message) {
    response.headers.emplace_back(lower({field.name_string().data(), field.name_string().size()}),
                                  std::string(field.value().data(), field.value().size()));
  }
  return response;
}

Result<std::string> HttpClient::Exchange::read_body() {
  if (!parser_ || !parser_->is_header_done()) return disconnected();
  std::array<char, kBlock> block;
  std::string piece;
  while (piece.empty() && !parser_->is_done()) {
    if (input_.size() == 0 && !ended_by_peer_) {
      if (auto more = read_more(); !more) return more.error();
    }
    auto& body = parser_->get().body();
    body.data = block.data();
    body.size = block.size();
    body.more = true;
    ErrorCode error;
    if (input_.size() > 0) {
      input_.consume(parser_->put(input_.data(), error));
    } else {
      parser_->put_eof(error);
    }
    piece.append(block.data(), block.size() - body.size);
    if (error == http::error::need_more && ended_by_peer_ && piece.empty()) return disconnected();
    // The parser limits headers, but not chunk extensions and trailers, of which it needs the whole.
    if (error == http::error::need_more && input_.size() > options_.max_header_bytes)
      return fail(Errc::io, "a chunk header or trailer of the response is larger than {}",
                  to_text(Bytes{static_cast<double>(options_.max_header_bytes)}));
    if (error == http::error::need_more && piece.empty()) {
      if (auto more = read_more(); !more) return more.error();
    } else if (error && error != http::error::need_buffer && error != http::error::need_more) {
      return disconnected();
    }
  }
  received_ += piece.size();
  if (received_ > options_.max_bytes)
    return fail(Errc::io, "the response is larger than {}",
                to_text(Bytes{static_cast<double>(options_.max_bytes)}));
  return piece;
}

HttpClient::HttpClient(std::unique_ptr<Exchange> exchange) : exchange_(std::move(exchange)) {}
HttpClient::HttpClient(HttpClient&&) noexcept = default;
HttpClient& HttpClient::operator=(HttpClient&&) noexcept = default;
HttpClient::~HttpClient() = default;

Result<HttpClient> HttpClient::connect(const Url& url, const HttpOptions& options,
                                       const std::stop_token& stop) {
  auto exchange = std::make_unique<Exchange>(url, options, stop);
  if (auto connected = exchange->connect(); !connected) return connected.error();
  return HttpClient(std::move(exchange));
}

Result<ClientResponse> HttpClient::send(const ClientRequest& request) { return exchange_->send(request); }
Result<std::string> HttpClient::read_body() { return exchange_->read_body(); }
bool HttpClient::reusable() const { return exchange_->reusable(); }

}  // namespace ergon::service
