#include "service/http/client.h"

#include <atomic>
#include <chrono>
#include <future>
#include <httplib.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>

namespace ergon::service {
namespace {

using namespace literals;
using namespace std::chrono_literals;

// A local server on a free port. Its destructor ends slow responses.
class LoopbackServer {
 public:
  LoopbackServer() {
    server.Get("/plain", [](const auto&, auto& answer) { answer.set_content("hello", "text/plain"); });
    server.Get("/below/plain", [](const auto&, auto& answer) { answer.set_content("below", "text/plain"); });
    server.Get("/echo", [](const auto& request, auto& answer) {
      answer.set_content(request.target + "|" + request.get_header_value("Authorization"), "text/plain");
    });
    server.Get("/compressed", [](const auto& request, auto& answer) {
      answer.set_content(request.get_header_value("Accept-Encoding") + std::string(100'000, '7'),
                         "application/json");
    });
    server.Get("/large",
               [](const auto&, auto& answer) { answer.set_content(std::string(5000, 'x'), "text/plain"); });
    server.Get("/moved", [](const auto&, auto& answer) { answer.set_redirect("/plain"); });
    server.Get("/bad", [](const auto&, auto& answer) {
      answer.status = 400;
      answer.set_content(R"({"status":"error","errorType":"bad_data","error":"parse error: unexpected end"})",
                         "application/json");
    });
    server.Get("/broken", [](const auto&, auto& answer) {
      answer.status = 500;
      answer.set_content("out of disk\nstack trace", "text/plain");
    });
    server.Get("/slow", [this](const auto&, auto& answer) {
      asked.set_value();
      released_.wait();
      answer.set_content("at last", "text/plain");
    });
    // In small pieces, so that no single wait is long.
    server.Get("/dripping", [this](const auto&, auto& answer) {
      answer.set_chunked_content_provider("text/plain", [this](std::size_t, httplib::DataSink& sink) {
        return released_.wait_for(10ms) == std::future_status::timeout && sink.write("x", 1);
      });
    });
    port_ = server.bind_to_any_port("127.0.0.1");
    thread_ = std::thread([this] { server.listen_after_bind(); });
  }
  ~LoopbackServer() {
    release_.set_value();
    while (!server.is_running()) std::this_thread::sleep_for(1ms);
    server.stop();
    thread_.join();
  }

  Url url() const { return {false, "127.0.0.1", port_, ""}; }
  Result<std::string> ask(const std::string& path, const HttpOptions& access = {},
                          const std::stop_token& stop = {}) const {
    return get(url(), path, access, stop);
  }
  std::string prefix_of(const std::string& path) const { return to_text(url()) + path + ": "; }

  std::promise<void> asked;  // for the slow answer
  httplib::Server server;

 private:
  std::promise<void> release_;
  std::shared_future<void> released_ = release_.get_future().share();
  int port_ = 0;
  std::thread thread_;
};

// A bound port without a listener.
class DeafPort {
 public:
  DeafPort() : fd_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    bound_ = ::bind(fd_, reinterpret_cast<sockaddr*>(&address), size) == 0 &&
             ::getsockname(fd_, reinterpret_cast<sockaddr*>(&address), &size) == 0;
    port_ = ntohs(address.sin_port);
  }
  ~DeafPort() { ::close(fd_); }
  bool bound() const { return bound_; }
  int port() const { return port_; }

 private:
  int fd_;
  bool bound_ = false;
  int port_ = 0;
};

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

TEST(HttpClient, ReturnsTheBody) {
  const LoopbackServer server;
  const auto plain = server.ask("/plain");
  ASSERT_TRUE(plain) << plain.error().message;
  EXPECT_EQ(*plain, "hello");
  Url below = server.url();
  below.prefix = "/below";
  EXPECT_EQ(*get(below, "/plain", {}, {}), "below");
}

TEST(HttpClient, KeepsEncodedQueries) {
  const LoopbackServer server;
  EXPECT_EQ(*server.ask("/echo?query=%7B__name__%3D~%22a%7Cb%22%7D&start=1.5"),
            "/echo?query=%7B__name__%3D~%22a%7Cb%22%7D&start=1.5|");
}

TEST(HttpClient, SendsTheToken) {
  const LoopbackServer server;
  HttpOptions access;
  access.token = "s3cret";
  EXPECT_EQ(*server.ask("/echo", access), "/echo|Bearer s3cret");
}

TEST(HttpClient, DecompressesResponses) {
  const LoopbackServer server;
  EXPECT_EQ(*server.ask("/compressed"), "gzip" + std::string(100'000, '7'));
  HttpOptions access;
  access.max_bytes = 50'000;  // more than travels
  EXPECT_FALSE(server.ask("/compressed", access));
}

TEST(HttpClient, ReportsTheServersMessage) {
  const LoopbackServer server;
  const auto bad = server.ask("/bad?query=x");
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().kind, Errc::invalid_input);
  EXPECT_EQ(bad.error().message,
            server.prefix_of("/bad") + "400 (bad request): bad_data: parse error: unexpected end");
  const auto broken = server.ask("/broken");
  ASSERT_FALSE(broken);
  EXPECT_EQ(broken.error().kind, Errc::io);
  EXPECT_EQ(broken.error().message, server.prefix_of("/broken") + "500 (internal error): out of disk");
  const auto nowhere = server.ask("/nowhere");
  ASSERT_FALSE(nowhere);
  EXPECT_EQ(nowhere.error().kind, Errc::not_found);
}

TEST(HttpClient, DoesNotFollowRedirections) {
  const LoopbackServer server;
  const auto moved = server.ask("/moved");
  ASSERT_FALSE(moved);
  EXPECT_EQ(moved.error().message, server.prefix_of("/moved") + "302 (redirected)");
}

TEST(HttpClient, LimitsTheResponseSize) {
  const LoopbackServer server;
  HttpOptions access;
  access.max_bytes = 5000;
  EXPECT_EQ(server.ask("/large", access).value_or("").size(), 5000u);
  access.max_bytes = 4999;
  const auto large = server.ask("/large", access);
  ASSERT_FALSE(large);
  EXPECT_EQ(large.error().kind, Errc::io);
  EXPECT_NE(large.error().message.find("larger than"), std::string::npos) << large.error().message;
}

TEST(HttpClient, TimesOut) {
  const LoopbackServer server;
  HttpOptions access;
  access.timeout = 200_ms;
  for (const char* path : {"/slow", "/dripping"}) {
    const auto start = std::chrono::steady_clock::now();
    const auto answer = server.ask(path, access);
    ASSERT_FALSE(answer) << path;
    EXPECT_EQ(answer.error().message, server.prefix_of(path) + "no complete response within 200 ms");
    EXPECT_GE(seconds_since(start), 0.15) << path;
    EXPECT_LT(seconds_since(start), 5) << path;
  }
}

TEST(HttpClient, StopsOnRequest) {
  LoopbackServer server;
  std::stop_source stop;
  std::thread impatient([&] {
    server.asked.get_future().wait();
    stop.request_stop();
  });
  const auto start = std::chrono::steady_clock::now();
  const auto answer = server.ask("/slow", {}, stop.get_token());
  impatient.join();
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().kind, Errc::cancelled);
  EXPECT_LT(seconds_since(start), 5);
  EXPECT_EQ(server.ask("/plain", {}, stop.get_token()).error().kind, Errc::cancelled);
}

TEST(HttpClient, ReportsARefusedConnection) {
  const DeafPort deaf;
  ASSERT_TRUE(deaf.bound());
  const Url url{false, "127.0.0.1", deaf.port(), "/prometheus"};
  const auto answer = get(url, "/api", {}, {});
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().kind, Errc::io);
  EXPECT_EQ(answer.error().message,
            to_text(url) + "/api: cannot connect; check that the server runs and the port is right");
}

TEST(HttpClient, ReportsAServerWithoutTls) {
  const LoopbackServer server;
  Url url = server.url();
  url.secure = true;
  const auto answer = get(url, "/plain", {}, {});
  ASSERT_FALSE(answer);
  EXPECT_NE(answer.error().message.find(to_text(url)), std::string::npos);
  EXPECT_NE(answer.error().message.find("TLS"), std::string::npos) << answer.error().message;
}

}  // namespace
}  // namespace ergon::service
