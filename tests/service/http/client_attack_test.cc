// What a hostile server can do to a client: responses without end, and connections that are never accepted.

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include "service/http/client.h"
#include "support/temporary_folder.h"

namespace ergon::service {
namespace {

using namespace literals;
using namespace std::chrono_literals;

constexpr std::size_t kMuch = std::size_t{64} << 20;

// Accepts one connection, and sends `start` and then `piece` again and again: 64 MiB, unless the client
// closes.
class EndlessServer {
 public:
  EndlessServer(std::string start, std::string piece)
      : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    EXPECT_EQ(::bind(fd_, reinterpret_cast<sockaddr*>(&address), size), 0);
    EXPECT_EQ(::listen(fd_, 1), 0);
    EXPECT_EQ(::getsockname(fd_, reinterpret_cast<sockaddr*>(&address), &size), 0);
    port_ = ntohs(address.sin_port);
    thread_ = std::jthread([this, start = std::move(start), piece = std::move(piece)] {
      const int client = ::accept(fd_, nullptr, nullptr);
      std::array<char, 4096> request{};
      if (::recv(client, request.data(), request.size(), 0) > 0 && send(client, start)) {
        while (!piece.empty() && sent_ < kMuch && send(client, piece)) {
        }
      }
      ::close(client);
    });
  }
  EndlessServer(const EndlessServer&) = delete;
  EndlessServer& operator=(const EndlessServer&) = delete;
  ~EndlessServer() {
    thread_.join();
    ::close(fd_);
  }

  Url url() const { return {false, "127.0.0.1", port_, ""}; }
  std::size_t sent() const { return sent_; }

 private:
  bool send(int client, std::string_view text) {
    while (!text.empty()) {
      const ssize_t sent = ::send(client, text.data(), text.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      sent_ += static_cast<std::size_t>(sent);
      text.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }

  int fd_;
  int port_ = 0;
  std::atomic<std::size_t> sent_ = 0;
  std::jthread thread_;
};

std::string error_of(const EndlessServer& server) {
  const auto body = get(server.url(), "/", {}, {});
  EXPECT_FALSE(body);
  return body ? "" : body.error().message;
}

constexpr const char* kChunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";

TEST(HttpClientAttack, AnEndlessChunkExtensionIsRejected) {
  const EndlessServer server(std::string(kChunked) + "1;x=", std::string(65'536, 'a'));
  const std::string message = error_of(server);
  EXPECT_NE(message.find("chunk header or trailer of the response is larger than"), std::string::npos)
      << message;
}

TEST(HttpClientAttack, AnEndlessTrailerIsRejected) {
  std::string fields;
  for (int i = 0; i < 1000; ++i) fields += "X: y\r\n";
  const EndlessServer server(std::string(kChunked) + "2\r\n{}\r\n0\r\n", fields);
  const std::string message = error_of(server);
  EXPECT_NE(message.find("chunk header or trailer of the response is larger than"), std::string::npos)
      << message;
}

TEST(HttpClientAttack, EndlessInterimResponsesAreRejected) {
  const EndlessServer server("", "HTTP/1.1 100 Continue\r\n\r\n");
  const std::string message = error_of(server);
  EXPECT_NE(message.find("more than 100 interim responses (1xx)"), std::string::npos) << message;
}

TEST(HttpClientAttack, ATrailerAndInterimResponsesAreLegal) {
  std::string start;
  for (int i = 0; i < 100; ++i) start += "HTTP/1.1 100 Continue\r\n\r\n";
  start += std::string(kChunked) + "2;x=y\r\n{}\r\n0\r\nX: " + std::string(30'000, 'a') + "\r\n\r\n";
  const EndlessServer server(start, "");
  const auto body = get(server.url(), "/", {.timeout = 5_s}, {});
  ASSERT_TRUE(body) << body.error().message;
  EXPECT_EQ(*body, "{}");
}

// A Unix socket whose queue of connections is full, until accept_all().
class FullUnixSocket {
 public:
  explicit FullUnixSocket(const std::filesystem::path& file) {
    address_.sun_family = AF_UNIX;
    std::memcpy(address_.sun_path, file.c_str(), file.native().size() + 1);
    EXPECT_EQ(::bind(fd_, reinterpret_cast<sockaddr*>(&address_), sizeof address_), 0);
    EXPECT_EQ(::listen(fd_, 0), 0);
    while (true) {
      const int client = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
      sockets_.push_back(client);
      if (::connect(client, reinterpret_cast<sockaddr*>(&address_), sizeof address_) == 0) continue;
      EXPECT_EQ(errno, EAGAIN);
      return;
    }
  }
  FullUnixSocket(const FullUnixSocket&) = delete;
  FullUnixSocket& operator=(const FullUnixSocket&) = delete;
  ~FullUnixSocket() {
    for (const int each : sockets_) ::close(each);
    ::close(fd_);
  }

  void accept_all() {
    ::fcntl(fd_, F_SETFL, O_NONBLOCK);
    for (int client; (client = ::accept(fd_, nullptr, nullptr)) >= 0;) sockets_.push_back(client);
  }

 private:
  int fd_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un address_{};
  std::vector<int> sockets_;
};

TEST(HttpClientAttack, AFullUnixSocketIsNotWaitedForWithoutLimit) {
  const test::TemporaryFolder folder;
  FullUnixSocket full(folder / "full.sock");
  const Url url{.socket = folder / "full.sock"};
  const auto start = std::chrono::steady_clock::now();
  const auto late = HttpClient::connect(url, {.timeout = 200_ms}, {});
  ASSERT_FALSE(late);
  EXPECT_NE(late.error().message.find("cannot connect within 200 ms"), std::string::npos)
      << late.error().message;
  std::stop_source stop;
  const std::jthread impatient([&] {
    std::this_thread::sleep_for(100ms);
    stop.request_stop();
  });
  const auto stopped = HttpClient::connect(url, {}, stop.get_token());
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().kind, Errc::cancelled);
  EXPECT_LT(std::chrono::steady_clock::now() - start, 5s);
  const std::jthread acceptor([&] {
    std::this_thread::sleep_for(100ms);
    full.accept_all();
  });
  EXPECT_TRUE(HttpClient::connect(url, {}, {}));
}

TEST(HttpClientAttack, ALongUnixSocketPathIsAnError) {
  const auto client = HttpClient::connect({.socket = "/" + std::string(200, 'x')}, {}, {});
  ASSERT_FALSE(client);
}

}  // namespace
}  // namespace ergon::service
