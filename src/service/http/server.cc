#include "service/http/server.h"

#include <atomic>
#include <cerrno>
#include <chrono>
#include <httplib.h>
#include <thread>

#include <fmt/format.h>

#include "base/file.h"
#include "base/text.h"
#include "service/http/worker_pool.h"

namespace ergon::service {
namespace {

using std::chrono::microseconds;

microseconds microseconds_of(Seconds time) {
  return microseconds(static_cast<std::int64_t>(time.si() * 1e6));
}

Request request_of(const httplib::Request& theirs) {
  Request ours{.method = theirs.method, .path = theirs.path, .query = {}, .headers = {}, .body = theirs.body};
  for (const auto& [name, value] : theirs.params) ours.query.emplace_back(name, value);
  for (const auto& [name, value] : theirs.headers) ours.headers.emplace_back(lower(name), value);
  return ours;
}

class HttplibServer final : public Server {
 public:
  HttplibServer(const ServerLimits& limits) {
    server_.new_task_queue = [limits] { return new WorkerPool(limits.max_connections); };
    server_.set_payload_max_length(limits.max_request_bytes);
    server_.set_read_timeout(microseconds_of(limits.io_timeout));
    server_.set_write_timeout(microseconds_of(limits.io_timeout));
    server_.set_keep_alive_timeout(static_cast<time_t>(limits.keep_alive.si()));
    server_.set_keep_alive_max_count(1000);
    server_.set_tcp_nodelay(true);
    // The library sets SO_REUSEPORT, with which a second server would get half of the requests.
    server_.set_socket_options([this](socket_t socket) {
      socket_ = socket;
      const int yes = 1;
      ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
    });
  }

  Result<> bind(const std::string& host, int port) {
    errno = 0;
    socket_ = INVALID_SOCKET;
    port_ = port == 0 ? server_.bind_to_any_port(host) : (server_.bind_to_port(host, port) ? port : -1);
    if (port_ > 0) {
      // The library's backlog is 5; a further client would retry only after a second.
      ::listen(socket_, kBacklog);
      return {};
    }
    const int reason = errno;
    const std::string where = fmt::format("{}:{}", host, port);
    if (reason == EADDRINUSE)
      return fail(Errc::busy, "{} is in use by another program; choose another --port", where);
    // Without a socket the name was not resolved. errno is then the resolver's, for example that of a missing
    // /etc/nsswitch.conf.
    const bool resolved = socket_ != INVALID_SOCKET || reason == EMFILE || reason == ENFILE;
    if (reason == 0 || !resolved)
      return fail(Errc::invalid_input, "{} is not an address of this machine", where);
    return errno_error(reason).in(where);
  }

  int port() const override { return port_; }

  void serve(const Handler& handler, const std::stop_token& stop) override {
    stop_ = stop;
    // Requests without a body are handled before routing; those with a body must be read first.
    server_.set_pre_routing_handler([&](const httplib::Request& asked, httplib::Response& answer) {
      prepare(asked);
      if (reject_unread(asked, answer)) return httplib::Server::HandlerResponse::Handled;
      if (takes_body(asked)) return httplib::Server::HandlerResponse::Unhandled;
      respond(handler, asked, answer);
      return httplib::Server::HandlerResponse::Handled;
    });
    const auto with_body = [&](const httplib::Request& asked, httplib::Response& answer) {
      respond(handler, asked, answer);
    };
    server_.Post(".*", with_body);
    server_.Put(".*", with_body);
    server_.set_error_handler([](const httplib::Request&, httplib::Response& answer) {
      if (answer.body.empty() && !answer.content_length_) send_library_error(answer);
    });
    server_.set_exception_handler(
        [](const httplib::Request&, httplib::Response& answer, const std::exception_ptr&) {
          send(error_response(500, "io", "internal server error"), answer);
        });
    // Server::stop() has an effect only while the server runs, and only once.
    std::atomic<bool> ended = false;
    std::jthread stopper([&] {
      while (!ended && !(stop.stop_requested() && server_.is_running()))
        std::this_thread::sleep_for(kPollPeriod);
      if (!ended) server_.stop();
    });
    server_.listen_after_bind();
    ended = true;
  }

 private:
  static bool takes_body(const httplib::Request& asked) {
    return asked.method == "POST" || asked.method == "PUT";
  }

  // Removes Range and Accept-Encoding: the library mishandles ranges beyond the end, and its compression
  // takes longer than sending. The const_cast is valid because the library's request object is not const.
  static void prepare(const httplib::Request& asked) {
    auto& request = const_cast<httplib::Request&>(asked);
    request.ranges.clear();
    request.headers.erase("Range");
    request.headers.erase("Accept-Encoding");
  }

  // Rejects bodies that the library would not limit (chunked or compressed), and bodies of methods without
  // one, which it would parse as the next request. The body is not read and the connection is closed.
  static bool reject_unread(const httplib::Request& asked, httplib::Response& answer) {
    const bool body = asked.has_header("Content-Length") && asked.get_header_value("Content-Length") != "0";
    const bool chunked = asked.has_header("Transfer-Encoding");
    if (!takes_body(asked) && (body || chunked)) {
      // A HEAD response has no body, so the provider that closes the connection would not run.
      const_cast<httplib::Request&>(asked).method = "GET";
      send_last(error_response(400, "invalid_input", "this method takes no body"), answer);
    } else if (takes_body(asked) && (chunked || !asked.has_header("Content-Length"))) {
      send_last(error_response(411, "invalid_input", "Content-Length is required"), answer);
    } else if (takes_body(asked) && asked.has_header("Content-Encoding")) {
      send_last(error_response(415, "invalid_input", "Content-Encoding is not supported"), answer);
    } else {
      return false;
    }
    return true;
  }

  // Errors found by the library: a malformed request line or header, a body that is too large.
  static void send_library_error(httplib::Response& answer) {
    const int status = answer.status > 0 ? answer.status : 400;
    const char* why = status == 413   ? "the request is too large"
                      : status == 414 ? "the URL is too long"
                      : status == 404 ? "unknown path"
                                      : "malformed request";
    send(error_response(status, status == 404 ? "not_found" : "invalid_input", why), answer);
  }

  void respond(const Handler& handler, const httplib::Request& asked, httplib::Response& answer) const {
    Response response = handler(request_of(asked));
    if (!response.stream) return send(response, answer);
    answer.status = response.status;
    for (const auto& [name, value] : response.headers) answer.set_header(name, value);
    answer.set_chunked_content_provider(
        response.type, [stream = response.stream, stop = stop_](std::size_t, httplib::DataSink& sink) {
          const auto write = [&](std::string_view text) { return sink.write(text.data(), text.size()); };
          bool more = !stop.stop_requested() && sink.is_writable();
          try {
            more = more && stream(write);
          } catch (const std::exception&) {
            more = false;  // the library does not catch exceptions here
          }
          if (!more) sink.done();
          return true;
        });
  }

  static void send(const Response& response, httplib::Response& answer) {
    answer.status = response.status;
    for (const auto& [name, value] : response.headers) answer.set_header(name, value);
    answer.set_content(response.body, response.type);
  }

  // The content provider fails after the last byte, which makes the library close the connection.
  static void send_last(const Response& response, httplib::Response& answer) {
    answer.status = response.status;
    answer.set_header("Connection", "close");
    answer.set_content_provider(response.body.size(), response.type,
                                [body = response.body](std::size_t, std::size_t, httplib::DataSink& sink) {
                                  sink.write(body.data(), body.size());
                                  return false;
                                });
  }

  static constexpr std::chrono::milliseconds kPollPeriod{20};
  static constexpr int kBacklog = 1024;

  httplib::Server server_;
  socket_t socket_ = INVALID_SOCKET;  // the last one tried, which is the listening one
  int port_ = -1;
  std::stop_token stop_;
};

}  // namespace

Result<std::unique_ptr<Server>> Server::listen(const std::string& host, int port,
                                               const ServerLimits& limits) {
  auto server = std::make_unique<HttplibServer>(limits);
  if (auto bound = server->bind(host, port); !bound) return bound.error();
  return std::unique_ptr<Server>(std::move(server));
}

}  // namespace ergon::service
