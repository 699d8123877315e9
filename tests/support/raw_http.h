#pragma once

#include <algorithm>
#include <arpa/inet.h>
#include <cctype>
#include <charconv>
#include <chrono>
#include <map>
#include <netinet/in.h>
#include <poll.h>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <unistd.h>

namespace ergon::test {

struct HttpAnswer {
  int status = 0;                              // 0: no response
  std::map<std::string, std::string> headers;  // names in lower case
  std::string body;
  bool whole = false;  // the body is complete

  std::string header(const std::string& name) const {
    const auto found = headers.find(name);
    return found == headers.end() ? "" : found->second;
  }
};

// A loopback connection on which a test sends arbitrary bytes, valid HTTP or not. Every wait ends after 30 s.
class RawConnection {
 public:
  // `receive_buffer`: in bytes; 0: the system's default.
  explicit RawConnection(int port, int receive_buffer = 0)
      : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    if (receive_buffer > 0) ::setsockopt(fd_, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    open_ = ::connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
  }
  RawConnection(const RawConnection&) = delete;
  RawConnection& operator=(const RawConnection&) = delete;
  ~RawConnection() { ::close(fd_); }

  bool open() const { return open_; }

  bool send(std::string_view text) const {
    while (!text.empty()) {
      const ssize_t sent = ::send(fd_, text.data(), text.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      text.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }

  void end_sending() const { ::shutdown(fd_, SHUT_WR); }

  // Whether the peer has aborted the connection: what it had not sent yet is lost.
  bool is_reset() const {
    pollfd peer{fd_, 0, 0};
    return ::poll(&peer, 1, 0) > 0 && (peer.revents & POLLERR) != 0;
  }

  // The next response. A response to HEAD has no body, whatever its headers say.
  HttpAnswer answer(bool to_head = false) {
    HttpAnswer answer = head();
    if (answer.status == 0 || to_head || answer.status == 204) {
      answer.whole = answer.status != 0;
      return answer;
    }
    if (answer.header("transfer-encoding") == "chunked") {
      read_chunks(answer);
    } else if (const std::string length = answer.header("content-length"); !length.empty()) {
      const std::size_t size = number_of(length, 10);
      answer.whole = fill(size);
      answer.body = taken(std::min(size, pending_.size()));
    } else {
      while (more()) {
      }
      answer.body = taken(pending_.size());
      answer.whole = true;
    }
    return answer;
  }

  // Status and headers only; the body has not been read.
  HttpAnswer head() {
    HttpAnswer answer;
    std::string line;
    if (!read_line(line) || !line.starts_with("HTTP/1.") || line.size() < 12) return answer;
    answer.status = static_cast<int>(number_of(std::string_view(line).substr(9, 3), 10));
    while (read_line(line) && !line.empty()) {
      const auto colon = line.find(':');
      if (colon == std::string::npos) continue;
      std::string name = line.substr(0, colon);
      std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
      const auto value = line.find_first_not_of(' ', colon + 1);
      answer.headers[name] = value == std::string::npos ? "" : line.substr(value);
    }
    return answer;
  }

  // Reads until `text` and returns everything up to its end, or everything received if it never comes.
  std::string until(std::string_view text) {
    while (pending_.find(text) == std::string::npos && more()) {
    }
    const auto found = pending_.find(text);
    return taken(found == std::string::npos ? pending_.size() : found + text.size());
  }

  // Waits until the peer closes the connection. Discards what it sends before.
  bool closed() {
    while (more()) pending_.clear();
    return !timed_out_;
  }

 private:
  static std::size_t number_of(std::string_view text, int base) {
    std::size_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number, base);
    return number;
  }
  bool more() {
    pollfd waiting{fd_, POLLIN, 0};
    constexpr int kPatienceMs = 30'000;
    if (::poll(&waiting, 1, kPatienceMs) <= 0) {
      timed_out_ = true;
      return false;
    }
    char block[16384];
    const ssize_t got = ::recv(fd_, block, sizeof block, 0);
    if (got <= 0) return false;
    pending_.append(block, static_cast<std::size_t>(got));
    return true;
  }
  bool fill(std::size_t size) {
    while (pending_.size() < size && more()) {
    }
    return pending_.size() >= size;
  }
  std::string taken(std::size_t size) {
    std::string text = pending_.substr(0, size);
    pending_.erase(0, size);
    return text;
  }
  bool read_line(std::string& line) {
    line = until("\r\n");
    if (!line.ends_with("\r\n")) return false;
    line.resize(line.size() - 2);
    return true;
  }
  void read_chunks(HttpAnswer& answer) {
    std::string line;
    while (read_line(line)) {
      const std::size_t size = number_of(line, 16);
      if (!fill(size + 2)) return;
      answer.body += taken(size);
      taken(2);
      if (size == 0) {
        answer.whole = true;
        return;
      }
    }
  }

  int fd_;
  bool open_ = false;
  bool timed_out_ = false;
  std::string pending_;
};

}  // namespace ergon::test
