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
    server_.new_task_queue = [limits] { return new WorkerPool(limits.most_connections); };
    server_.set_payload_max_length(limits.most_request_bytes);
    server_.set_read_timeout(microseconds_of(limits.patience));
    server_.set_write_timeout(microseconds_of(limits.patience));
    server_.set_keep_alive_timeout(static_cast<time_t>(limits.idle.si()));
    server_.set_keep_alive_max_count(1000);
    server_.set_tcp_nodelay(true);
    // The library would let a second server share the port, and each get half of the requests.
    server_.set_socket_options([this](socket_t socket) {
      socket_ = socket;
      const int yes = 1;
      ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
    });
  }

  Result<> bind(const std::string& host, int port) {
    errno = 0;
    port_ = port == 0 ? server_.bind_to_any_port(host) : (server_.bind_to_port(host, port) ? port : -1);
    if (port_ > 0) {
      // The library lets five wait to be accepted; the next would have to knock again after a second.
      ::listen(socket_, kBacklog);
      return {};
    }
    const int reason = errno;
    const std::string where = fmt::format("{}:{}", host, port);
    if (reason == EADDRINUSE) return fail(Errc::busy, "{} is taken by another program", where);
    if (reason == 0) return fail(Errc::invalid_input, "{} is no address of this machine", where);
    return errno_error(reason).in(where);
  }

  int port() const override { return port_; }

  void serve(const Handler& handler, const std::stop_token& stop) override {
    stop_ = stop;
    // Requests without a body are answered before the library looks for a route; those with one have to be
    // read first.
    server_.set_pre_routing_handler([&](const httplib::Request& asked, httplib::Response& answer) {
      prepare(asked);
      if (refused_unread(asked, answer)) return httplib::Server::HandlerResponse::Handled;
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
      if (answer.body.empty() && !answer.content_length_) refuse(answer);
    });
    server_.set_exception_handler([](const httplib::Request&, httplib::Response& answer, std::exception_ptr) {
      send(error_response(500, "io", "the server failed to answer"), answer);
    });
    // The library hears a wish to stop only while it runs, and only once.
    std::atomic<bool> ended = false;
    std::jthread stopper([&] {
      while (!ended && !(stop.stop_requested() && server_.is_running())) std::this_thread::sleep_for(kGlance);
      if (!ended) server_.stop();
    });
    server_.listen_after_bind();
    ended = true;
  }

 private:
  static bool takes_body(const httplib::Request& asked) {
    return asked.method == "POST" || asked.method == "PUT";
  }

  // The library would cut answers into the pieces that a Range header asks for, beyond their end as well, and
  // compress them as hard as it can, which takes longer than sending. The request is its own and not const.
  static void prepare(const httplib::Request& asked) {
    auto& own = const_cast<httplib::Request&>(asked);
    own.ranges.clear();
    own.headers.erase("Range");
    own.headers.erase("Accept-Encoding");
  }

  // Bodies whose length is not said beforehand, or that are packed, have no limit in the library; those where
  // none belongs would be taken for the next request. Such requests are answered unread, and the last on
  // their connection.
  static bool refused_unread(const httplib::Request& asked, httplib::Response& answer) {
    const bool body = asked.has_header("Content-Length") && asked.get_header_value("Content-Length") != "0";
    const bool pieces = asked.has_header("Transfer-Encoding");
    if (!takes_body(asked) && (body || pieces)) {
      // To HEAD nothing would be sent, and so nothing could fail.
      const_cast<httplib::Request&>(asked).method = "GET";
      send_last(error_response(400, "invalid_input", "this takes no body"), answer);
    } else if (takes_body(asked) && (pieces || !asked.has_header("Content-Length"))) {
      send_last(error_response(411, "invalid_input", "the length of the body has to be said"), answer);
    } else if (takes_body(asked) && asked.has_header("Content-Encoding")) {
      send_last(error_response(415, "invalid_input", "the body must not be packed"), answer);
    } else {
      return false;
    }
    return true;
  }

  // What the library itself refuses: a request line or header that is none, a body that is too long.
  static void refuse(httplib::Response& answer) {
    const int status = answer.status > 0 ? answer.status : 400;
    const char* why = status == 413   ? "the request is too long"
                      : status == 414 ? "the address is too long"
                      : status == 404 ? "there is nothing here"
                                      : "the request is not understood";
    send(error_response(status, status == 404 ? "not_found" : "invalid_input", why), answer);
  }

  void respond(const Handler& handler, const httplib::Request& asked, httplib::Response& answer) const {
    Response response = handler(request_of(asked));
    if (!response.stream) return send(std::move(response), answer);
    answer.status = response.status;
    for (const auto& [name, value] : response.headers) answer.set_header(name, value);
    answer.set_chunked_content_provider(
        response.type, [stream = response.stream, stop = stop_](std::size_t, httplib::DataSink& sink) {
          const auto write = [&](std::string_view text) { return sink.write(text.data(), text.size()); };
          bool more = !stop.stop_requested() && sink.is_writable();
          try {
            more = more && stream(write);
          } catch (const std::exception&) {
            more = false;  // here nobody else would catch it
          }
          if (!more) sink.done();
          return true;
        });
  }

  static void send(Response response, httplib::Response& answer) {
    answer.status = response.status;
    for (const auto& [name, value] : response.headers) answer.set_header(name, value);
    answer.set_content(std::move(response.body), response.type);
  }

  // A provider that fails once all is sent: that is how the library is brought to close the connection.
  static void send_last(const Response& response, httplib::Response& answer) {
    answer.status = response.status;
    answer.set_header("Connection", "close");
    answer.set_content_provider(response.body.size(), response.type,
                                [body = response.body](std::size_t, std::size_t, httplib::DataSink& sink) {
                                  sink.write(body.data(), body.size());
                                  return false;
                                });
  }

  static constexpr std::chrono::milliseconds kGlance{20};
  static constexpr int kBacklog = 1024;

  httplib::Server server_;
  socket_t socket_ = INVALID_SOCKET;  // the last that was tried: the one that listens
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
