#include "control/caps/cap_socket.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <list>
#include <string_view>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include "base/file.h"
#include "base/text.h"

namespace ergon::control {
namespace {

using Change = std::optional<CapChange>;

constexpr std::size_t kMaxClients = 16;
constexpr std::size_t kMaxLineBytes = 256;
constexpr std::size_t kMaxUnsentBytes = 16384;
// Per poll, so that a client that sends or connects endlessly cannot block the control loop.
constexpr int kMaxReads = 4;
constexpr int kMaxAccepts = 64;

class Socket {
 public:
  explicit Socket(int fd) : fd_(fd) {}
  Socket(Socket&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Socket& operator=(Socket&&) = delete;
  ~Socket() {
    if (fd_ >= 0) ::close(fd_);
  }

  explicit operator bool() const { return fd_ >= 0; }
  int fd() const { return fd_; }

 private:
  int fd_;
};

// One connected client: reads lines and writes answers without blocking.
class Client {
 public:
  Client(std::uint64_t id, Socket socket) : id_(id), socket_(std::move(socket)) {}

  std::uint64_t id() const { return id_; }
  // The connection is lost or refused, or the client shut down sending and has all its answers.
  bool finished(bool awaiting) const { return gone_ || refused_ || (ended_ && unsent_.empty() && !awaiting); }

  // Complete lines received, without newlines.
  std::vector<std::string> read() {
    std::vector<std::string> lines;
    for (int reads = 0; reads < kMaxReads && !ended_ && unsent_.size() < kMaxUnsentBytes; ++reads) {
      char block[4096];
      const ssize_t got = ::recv(socket_.fd(), block, sizeof block, MSG_DONTWAIT);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0 && errno == EAGAIN) break;
      ended_ = got <= 0;
      if (!ended_) take({block, static_cast<std::size_t>(got)}, lines);
    }
    return lines;
  }

  void answer(std::string_view text) { unsent_ += text; }

  // Sent after the answers to complete lines. An incomplete last line is an error: "25" may be half of
  // "250W".
  void answer_faults() {
    if (refused_) answer(fmt::format("error: line longer than {} bytes\n", kMaxLineBytes));
    if (ended_ && !partial_.empty()) answer("error: the last line has no newline\n");
    if (ended_) partial_.clear();
  }

  void send() {
    while (!gone_ && !unsent_.empty()) {
      const ssize_t sent = ::send(socket_.fd(), unsent_.data(), unsent_.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
      if (sent < 0 && errno == EINTR) continue;
      if (sent < 0 && errno == EAGAIN) return;
      gone_ = sent < 0;
      if (!gone_) unsent_.erase(0, static_cast<std::size_t>(sent));
    }
  }

 private:
  void take(std::string_view more, std::vector<std::string>& lines) {
    partial_ += more;
    std::size_t begin = 0;
    for (;;) {
      const std::size_t end = partial_.find('\n', begin);
      const std::size_t length = std::min(end, partial_.size()) - begin;
      if (length > kMaxLineBytes) return refuse();
      if (end == std::string::npos) break;
      lines.push_back(partial_.substr(begin, length));
      begin = end + 1;
    }
    partial_.erase(0, begin);
  }

  void refuse() {
    refused_ = ended_ = true;
    partial_.clear();
  }

  std::uint64_t id_;
  Socket socket_;
  std::string partial_;   // incomplete last line
  std::string unsent_;    // answers not yet sent
  bool ended_ = false;    // the client shut down sending
  bool refused_ = false;  // it sent a line that was too long
  bool gone_ = false;     // sending failed
};

Socket new_socket() { return Socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)); }

class SocketCap final : public CapSource {
 public:
  SocketCap(std::string path, Socket listener) : path_(std::move(path)), listener_(std::move(listener)) {
    if (::lstat(path_.c_str(), &bound_) != 0) bound_ = {};
  }
  ~SocketCap() override {
    struct stat there {};
    if (::lstat(path_.c_str(), &there) != 0) return;
    if (there.st_dev == bound_.st_dev && there.st_ino == bound_.st_ino) ::unlink(path_.c_str());
  }

  Result<Change> poll(Seconds) override {
    Change change;
    for (Client& client : clients_) serve(client, change);
    forget_finished();
    const auto accepted = accept(change);
    forget_finished();
    if (accepted) accept_failed_ = false;
    const bool tell = !accepted && !change && !std::exchange(accept_failed_, true);
    if (tell) return accepted.error().in(path_);
    return change;
  }

  void acknowledge(Watts cap, Seconds took) override {
    if (!pending_ || pending_->cap != cap) return;
    for (Client& client : clients_) {
      if (client.id() != pending_->client) continue;
      client.answer(fmt::format("met in {} s\n", seconds_text(took)));
      client.send();
    }
    pending_.reset();
  }

  void refuse(const std::string& why) override {
    if (!pending_) return;
    for (Client& client : clients_) {
      if (client.id() != pending_->client) continue;
      client.answer(fmt::format("error: {}\n", why));
      client.send();
    }
    pending_ = previous_;
  }

 private:
  void serve(Client& client, Change& change) {
    client.send();
    for (const std::string& line : client.read()) {
      const auto cap = parse_cap(line);
      if (!cap) {
        client.answer(fmt::format("error: {}\n", cap.error().message));
        continue;
      }
      client.answer(fmt::format("ok {} W\n", shortest_text(cap->si())));
      change = CapChange{*cap, "socket"};
      previous_ = pending_;
      pending_ = {*cap, client.id()};
    }
    client.answer_faults();
    client.send();
  }

  void forget_finished() {
    std::erase_if(clients_, [&](const Client& client) {
      return client.finished(pending_ && pending_->client == client.id());
    });
  }

  Result<> accept(Change& change) {
    for (int accepts = 0; accepts < kMaxAccepts; ++accepts) {
      Socket socket(::accept4(listener_.fd(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
      if (!socket && errno == EAGAIN) break;
      if (!socket && (errno == EINTR || errno == ECONNABORTED)) continue;
      if (!socket) return errno_error(errno);
      if (clients_.size() < kMaxClients) {
        serve(clients_.emplace_back(next_id_++, std::move(socket)), change);
        continue;
      }
      Client client(next_id_++, std::move(socket));
      client.answer(fmt::format("error: {} clients are already connected\n", kMaxClients));
      client.send();
    }
    return {};
  }

  // The client that requested the last change, until the change is acknowledged.
  struct PendingChange {
    Watts cap;
    std::uint64_t client = 0;
  };

  std::string path_;
  struct stat bound_ {};  // the socket file that this object created
  Socket listener_;
  std::list<Client> clients_;
  std::uint64_t next_id_ = 0;
  std::optional<PendingChange> pending_, previous_;
  bool accept_failed_ = false;
};

// Removes a stale socket without a listener.
Result<> remove_stale_socket(const std::string& path, const sockaddr_un& address) {
  struct stat there {};
  if (::lstat(path.c_str(), &there) != 0) return {};  // bind() reports the reason
  if (!S_ISSOCK(there.st_mode)) return fail(Errc::invalid_input, "exists and is not a socket");
  const Socket probe = new_socket();
  if (!probe) return errno_error(errno);
  const int connected = ::connect(probe.fd(), reinterpret_cast<const sockaddr*>(&address), sizeof address);
  const bool full = connected != 0 && errno == EAGAIN;
  if (connected == 0 || full) return fail(Errc::permission, "another process listens on this socket");
  if (errno == ENOENT) return {};
  if (errno != ECONNREFUSED || ::unlink(path.c_str()) != 0) return errno_error(errno);
  return {};
}

}  // namespace

Result<std::unique_ptr<CapSource>> socket_cap(const std::string& path) {
  sockaddr_un address{};
  constexpr std::size_t kMaxPathBytes = sizeof address.sun_path - 1;
  if (path.empty()) return fail(Errc::invalid_input, "--cap-socket needs a path");
  if (path.size() > kMaxPathBytes) {
    return fail(Errc::invalid_input, "longer than {} bytes, the limit for a socket path", kMaxPathBytes)
        .in(path);
  }
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.data(), path.size());
  if (const auto free = remove_stale_socket(path, address); !free) return free.error().in(path);
  Socket listener = new_socket();
  // bind() creates the file with the mode of the socket, so it is never open to other users.
  if (!listener || ::fchmod(listener.fd(), S_IRUSR | S_IWUSR) != 0) return errno_error(errno).in(path);
  if (::bind(listener.fd(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    return (errno == ENOENT ? fail(Errc::not_found, "no such directory") : errno_error(errno)).in(path);
  }
  const int fd = listener.fd();
  std::unique_ptr<CapSource> source = std::make_unique<SocketCap>(path, std::move(listener));
  if (::listen(fd, kMaxClients) != 0) return errno_error(errno).in(path);
  return source;
}

}  // namespace ergon::control
