// A server and its requests: no crash, and whatever the bytes are, handlers see only well-formed requests and
// clients only HTTP. The input chooses among the parts of requests (methods, framing headers, chunks), so
// that most inputs get past the request line; parts may also be raw bytes. Half of the inputs are sent in two
// pieces.

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <sys/un.h>
#include <thread>
#include <unistd.h>

#include "service/http/server.h"
#include "service/http/target.h"

namespace {

using namespace ergon::service;

constexpr std::size_t kMaxBody = 2000;

constexpr std::array<std::string_view, 17> kLines = {"Host: localhost\r\n",
                                                     "Content-Length: 5\r\n",
                                                     "Content-Length: 0\r\n",
                                                     "Content-Length: 3000\r\n",
                                                     "Transfer-Encoding: chunked\r\n",
                                                     "Connection: close\r\n",
                                                     "Connection: keep-alive\r\n",
                                                     "Expect: 100-continue\r\n",
                                                     "Content-Encoding: gzip\r\n",
                                                     "Upgrade: h2c\r\n",
                                                     "X: a\r\n b\r\n",
                                                     "Content-Length: 5\r\nContent-Length: 6\r\n",
                                                     "Content-Length: 18446744073709551621\r\n",
                                                     "Content-Length: -1\r\n",
                                                     "Transfer-Encoding: chunked, identity\r\n",
                                                     "Host: a\r\nHost: b\r\n",
                                                     "X : a\r\n"};
constexpr std::array<std::string_view, 10> kStarts = {"GET / HTTP/1.1\r\n",
                                                      "POST /stream HTTP/1.1\r\n",
                                                      "PUT /p HTTP/1.1\r\n",
                                                      "HEAD /a%20b?x=1 HTTP/1.1\r\n",
                                                      "DELETE /events HTTP/1.1\r\n",
                                                      "GET /events HTTP/1.0\r\n",
                                                      "OPTIONS * HTTP/1.1\r\n",
                                                      "GET http://x/ HTTP/1.1\r\n",
                                                      "GET /%0d%0aInjected:x HTTP/1.1\r\n",
                                                      "POST /a?%0d%0aInjected:x HTTP/1.1\r\n"};
constexpr std::array<std::string_view, 6> kBodies = {
    "\r\n",          "\r\nhello",          "\r\n5\r\nhello\r\n0\r\n\r\n",
    "\r\n5;x=y\r\n", "\r\nffffffffff\r\n", "\r\n0\r\nX: y\r\n\r\n"};

void require(bool holds) {
  if (!holds) std::abort();
}

bool is_printable_line(std::string_view text) {
  return text.find_first_of(std::string_view("\r\n\0", 3)) == std::string_view::npos;
}

Response answer(const Request& request) {
  require(request.path.starts_with('/') && request.path.find('\0') == std::string::npos);
  require(request.body.size() <= kMaxBody && request.headers.size() <= ServerLimits().max_headers);
  for (const auto& [name, value] : request.headers)
    require(is_printable_line(name) && is_printable_line(value));
  std::size_t size = request.body.size();
  while (request.read_body) {
    const auto piece = request.read_body();
    if (!piece || piece->empty()) break;
    size += piece->size();
  }
  Response response = json_response(std::to_string(size));
  response.headers = {{"X-Path", request.path}};  // may contain line breaks, which must not reach the client
  if (request.path == "/events") {
    response.stream = [left = std::make_shared<int>(2)](const Response::Write& write) {
      return write("data\n") && --*left > 0;
    };
  }
  return response;
}

Admission admit(const Request& head) {
  require(head.body.empty());
  return {.stream_body = head.path == "/stream"};
}

class FuzzedServer {
 public:
  FuzzedServer() {
    std::filesystem::remove(file_);
    ServerLimits limits;
    limits.max_request_bytes = kMaxBody;
    limits.request_timeout = ergon::Seconds{1};
    auto server = Server::listen({.socket = file_}, limits);
    require(bool(server));
    server_ = std::move(*server);
    thread_ = std::jthread(
        [this](const std::stop_token& stop) { server_->serve({.answer = answer, .admit = admit}, stop); });
  }
  FuzzedServer(const FuzzedServer&) = delete;
  FuzzedServer& operator=(const FuzzedServer&) = delete;
  ~FuzzedServer() = default;

  // Sends both pieces and returns everything that came back.
  std::string exchange(std::string_view first, std::string_view second) const {
    const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::copy_n(file_.c_str(), file_.native().size() + 1, address.sun_path);
    require(::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
    for (const std::string_view piece : {first, second}) {
      if (!piece.empty()) [[maybe_unused]]
        const auto sent = ::send(fd, piece.data(), piece.size(), MSG_NOSIGNAL);
    }
    ::shutdown(fd, SHUT_WR);
    std::string received;
    std::array<char, 4096> block{};
    for (ssize_t got = 0; (got = ::recv(fd, block.data(), block.size(), 0)) > 0;)
      received.append(block.data(), static_cast<std::size_t>(got));
    ::close(fd);
    return received;
  }

 private:
  std::filesystem::path file_ =
      std::filesystem::temp_directory_path() / ("ergon-http-fuzz-" + std::to_string(::getpid()));
  std::unique_ptr<Server> server_;
  std::jthread thread_;
};

// Lower-case letters choose a request line, upper-case letters a header, digits an end of the headers with a
// body. Text between quotation marks is sent as it is, like all other characters.
std::string request_of(std::string_view choices) {
  std::string text;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    const char choice = choices[i];
    if (choice == '"') {
      const std::size_t end = std::min(choices.find('"', i + 1), choices.size());
      text += choices.substr(i + 1, end - i - 1);
      i = end;
    } else if (choice >= 'a' && choice <= 'z') {
      text += kStarts[static_cast<std::size_t>(choice - 'a') % kStarts.size()];
    } else if (choice >= 'A' && choice <= 'Z') {
      text += kLines[static_cast<std::size_t>(choice - 'A') % kLines.size()];
    } else if (choice >= '0' && choice <= '9') {
      text += kBodies[static_cast<std::size_t>(choice - '0') % kBodies.size()];
    } else {
      text += choice;
    }
  }
  return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const FuzzedServer server;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  if (const auto target = parse_target(input)) require(target->path.starts_with('/'));
  if (size == 0) return 0;
  const std::string text = request_of(input.substr(1));
  const std::size_t cut =
      input[0] % 2 == 0 ? text.size() : text.size() * static_cast<unsigned char>(input[0]) / 256;
  const std::string received =
      server.exchange(std::string_view(text).substr(0, cut), std::string_view(text).substr(cut));
  require(received.empty() || received.starts_with("HTTP/1.1 "));
  require(received.find("\nInjected:") == std::string::npos);
  return 0;
}
