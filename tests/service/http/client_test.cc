#include "service/http/client.h"

#include <atomic>
#include <chrono>
#include <future>
#include <netinet/in.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>

#include "service/http/server_on_loopback.h"
#include "support/process.h"

namespace ergon::service {
namespace {

using namespace literals;
using namespace std::chrono_literals;

// A local server on a free port. Its destructor ends slow responses.
class LoopbackServer {
 public:
  LoopbackServer() : server_([this](const Request& request) { return answer(request); }) {}
  ~LoopbackServer() { release_.set_value(); }

  Url url() const { return {false, "127.0.0.1", server_.port(), ""}; }
  Result<std::string> ask(const std::string& path, const HttpOptions& access = {},
                          const std::stop_token& stop = {}) const {
    return get(url(), path, access, stop);
  }
  std::string prefix_of(const std::string& path) const { return to_text(url()) + path + ": "; }

  std::promise<void> asked;  // for the slow answer

 private:
  static Response text(std::string body, int status = 200) {
    Response response;
    response.type = "text/plain";
    response.body = std::move(body);
    response.status = status;
    return response;
  }
  Response answer(const Request& request) {
    const std::string& path = request.path;
    if (path == "/plain") return text("hello");
    if (path == "/below/plain") return text("below");
    if (path == "/large") return text(std::string(5000, 'x'));
    if (path == "/broken") return text("out of disk\nstack trace", 500);
    if (path == "/echo") {
      std::string seen = path;
      for (const auto& [name, value] : request.query) seen += "|" + name + "=" + value;
      return text(seen + "|" + std::string(request.header("authorization")));
    }
    if (path == "/compressed") {
      Response response = text(packed_);
      response.headers = {{"Content-Encoding", "gzip"}};
      EXPECT_EQ(request.header("accept-encoding"), "gzip");
      return response;
    }
    if (path == "/moved") {
      Response response = text("", 302);
      response.headers = {{"Location", "/plain"}};
      return response;
    }
    if (path == "/bad")
      return text(R"({"status":"error","errorType":"bad_data","error":"parse error: unexpected end"})", 400);
    if (path == "/slow") {
      asked.set_value();
      released_.wait();
      return text("at last");
    }
    if (path == "/dripping") {  // in small pieces, so that no single wait is long
      Response response = text("");
      response.stream = [this](const Response::Write& write) {
        return released_.wait_for(10ms) == std::future_status::timeout && write("x");
      };
      return response;
    }
    return text("unknown path", 404);
  }

  const std::string packed_ = test::run_shell("head -c 100000 /dev/zero | gzip -9").out;
  std::promise<void> release_;
  std::shared_future<void> released_ = release_.get_future().share();
  test::ServerOnLoopback server_;
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
            R"(/echo|query={__name__=~"a|b"}|start=1.5|)");
}

TEST(HttpClient, SendsTheToken) {
  const LoopbackServer server;
  HttpOptions access;
  access.token = "s3cret";
  EXPECT_EQ(*server.ask("/echo", access), "/echo|Bearer s3cret");
}

TEST(HttpClient, DecompressesResponses) {
  const LoopbackServer server;
  EXPECT_EQ(*server.ask("/compressed"), std::string(100'000, '\0'));
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
