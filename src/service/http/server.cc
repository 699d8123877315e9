#include "service/http/server.h"

#include <algorithm>
#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <cerrno>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <thread>

#include <fmt/format.h>

#include "base/file.h"
#include "service/http/connection.h"
#include "service/http/server_core.h"
#include "service/http/socket_memory.h"
#include "service/http/tls.h"

namespace ergon::service {
namespace {

using Protocol = asio::generic::stream_protocol;
using Acceptor = asio::basic_socket_acceptor<Protocol>;
using asio::ip::tcp;

constexpr int kBacklog = 1024;
constexpr std::size_t kOtherDescriptors = 128;  // files, devices, jobs
constexpr std::chrono::milliseconds kTick{100}, kRetryAccept{50};
constexpr ::mode_t kSocketMode = 0660;

std::size_t processors() { return std::max(1U, std::thread::hardware_concurrency()); }

// Every connection needs a file descriptor.
std::size_t possible_connections(std::size_t wanted) {
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur == RLIM_INFINITY) return wanted;
  const auto most = static_cast<std::size_t>(files.rlim_cur);
  return std::min(wanted, most > 2 * kOtherDescriptors ? most - kOtherDescriptors : most / 2);
}

std::optional<PeerCredentials> credentials_of(Socket& socket) {
  ucred found{};
  socklen_t size = sizeof found;
  if (::getsockopt(socket.native_handle(), SOL_SOCKET, SO_PEERCRED, &found, &size) != 0 || found.pid == 0)
    return std::nullopt;
  return PeerCredentials{.process = found.pid, .user = found.uid, .group = found.gid};
}

bool answers(const std::filesystem::path& socket) {
  asio::io_context io;
  asio::local::stream_protocol::socket probe(io);
  const ErrorCode error = connect_at_once(probe, socket);
  return !error || error == asio::error::would_block;  // its queue of connections is full
}

class AsioServer final : public Server {
 public:
  explicit AsioServer(const ServerLimits& limits) : limits_(limits) {
    limits_.max_connections = possible_connections(limits.max_connections);
    if (limits_.costly_threads == 0) limits_.costly_threads = processors();
  }
  AsioServer(const AsioServer&) = delete;
  AsioServer& operator=(const AsioServer&) = delete;
  ~AsioServer() override {
    acceptor_.reset();
    std::error_code ignored;
    if (!socket_file_.empty()) std::filesystem::remove(socket_file_, ignored);
  }

  Result<> open(const ListenAddress& address) {
    if (address.tls) {
      auto context = server_tls(*address.tls);
      if (!context) return context.error();
      tls_ = std::move(*context);
      limits_.max_connections = std::min(limits_.max_connections, limits_.max_tls_connections);
    }
    return address.socket.empty() ? open_tcp(address.host, address.port) : open_unix(address.socket);
  }

  int port() const override { return port_; }

  void serve(const Service& service, const std::stop_token& stop) override {
    ServerCore core(limits_, service);
    // The acceptor was opened before the core that its connections belong to.
    Acceptor acceptor(core.io, protocol_, acceptor_->release());
    acceptor_.reset();
    asio::steady_timer tick(core.io);
    const std::stop_callback on_stop(stop, [&] {
      asio::post(core.io, [&] {
        core.stopping = true;
        ErrorCode ignored;
        acceptor.close(ignored);
        for_each_connection(core, [](Connection& each) { each.stop(); });
      });
    });
    accept(acceptor, core);
    check_deadlines(tick, core);
    run(core.io);
  }

 private:
  // A handler that throws, for lack of memory, harms only its own connection, whose deadline ends it.
  static void run(asio::io_context& io) {
    while (true) {
      try {
        io.run();
        return;
      } catch (const std::exception&) {
      }
    }
  }

  Result<> open_tcp(const std::string& host, int port) {
    const std::string where = fmt::format("{}:{}", host, port);
    ErrorCode error;
    tcp::resolver resolver(io_);
    const auto found = resolver.resolve(host, std::to_string(port),
                                        tcp::resolver::passive | tcp::resolver::numeric_service, error);
    if (error || found.empty())
      return fail(Errc::invalid_input, "{} is not an address of this machine", where);
    for (const auto& each : found) {
      error = bind(Protocol::endpoint(each.endpoint()), true);
      if (!error) break;
    }
    if (error == asio::error::address_in_use)
      return fail(Errc::busy, "{} is in use by another program; choose another --port", where);
    if (error) return errno_error(error.value()).in(where);
    sockaddr_storage bound{};
    socklen_t size = sizeof bound;
    ::getsockname(acceptor_->native_handle(), reinterpret_cast<sockaddr*>(&bound), &size);
    port_ = ntohs(bound.ss_family == AF_INET6 ? reinterpret_cast<const sockaddr_in6&>(bound).sin6_port
                                              : reinterpret_cast<const sockaddr_in&>(bound).sin_port);
    return {};
  }

  Result<> open_unix(const std::filesystem::path& file) {
    if (file.string().size() >= sizeof(sockaddr_un::sun_path))
      return fail(Errc::invalid_input, "{}: the path of a socket has at most {} characters", file.string(),
                  sizeof(sockaddr_un::sun_path) - 1);
    std::error_code ignored;
    if (std::filesystem::is_socket(file, ignored)) {
      if (answers(file)) return fail(Errc::busy, "{} is in use by another program", file.string());
      std::filesystem::remove(file, ignored);  // of a server that was killed
    }
    // Nobody else may connect before the mode is set.
    const ::mode_t before = ::umask(0177);
    const ErrorCode error =
        bind(Protocol::endpoint(asio::local::stream_protocol::endpoint(file.string())), false);
    ::umask(before);
    if (error) return errno_error(error.value()).in(file.string());
    socket_file_ = file;
    if (::chmod(file.c_str(), kSocketMode) != 0) return errno_error(errno).in(file.string());
    return {};
  }

  ErrorCode bind(const Protocol::endpoint& endpoint, bool reuse) {
    ErrorCode error;
    acceptor_.emplace(io_);
    acceptor_->open(endpoint.protocol(), error);
    if (!error && reuse) acceptor_->set_option(asio::socket_base::reuse_address(true), error);
    if (!error) limit_buffers(acceptor_->native_handle());
    if (!error) acceptor_->bind(endpoint, error);
    if (!error) acceptor_->listen(kBacklog, error);
    if (!error) protocol_ = endpoint.protocol();
    return error;
  }

  // Handlers close connections, which removes them from the set.
  static void for_each_connection(ServerCore& core, const std::function<void(Connection&)>& handle) {
    const std::vector<std::shared_ptr<Connection>> all(core.connections.begin(), core.connections.end());
    for (const auto& each : all) handle(*each);
  }

  void accept(Acceptor& acceptor, ServerCore& core) {
    if (core.stopping) return;
    const auto socket = std::make_shared<Socket>(core.io);
    acceptor.async_accept(*socket, [this, &acceptor, &core, socket](ErrorCode error) {
      if (error == asio::error::operation_aborted || core.stopping) return;
      if (error) {
        if (error == asio::error::no_descriptors ||
            error == boost::system::errc::too_many_files_open_in_system)
          evict(core);
        const auto pause = std::make_shared<asio::steady_timer>(core.io, kRetryAccept);
        return pause->async_wait([this, &acceptor, &core, pause](ErrorCode) { accept(acceptor, core); });
      }
      if (core.connections.size() < limits_.max_connections || evict(core))
        connected(std::move(*socket), core);
      accept(acceptor, core);
    });
  }

  void connected(Socket socket, ServerCore& core) {
    ErrorCode ignored;
    std::optional<PeerCredentials> peer;
    if (socket_file_.empty()) {
      socket.set_option(tcp::no_delay(true), ignored);
    } else {
      peer = credentials_of(socket);
      limit_buffers(socket.native_handle());
    }
    auto transport = tls_ ? accepted_tls(std::move(socket), *tls_) : plain_transport(std::move(socket));
    const auto connection = std::make_shared<Connection>(std::move(transport), peer, core);
    core.connections.insert(connection);
    connection->start();
  }

  static void check_deadlines(asio::steady_timer& tick, ServerCore& core) {
    tick.expires_after(kTick);
    tick.async_wait([&](ErrorCode) {
      const auto now = std::chrono::steady_clock::now();
      for_each_connection(core, [now](Connection& each) { each.check_deadline(now); });
      if (!core.stopping || !core.connections.empty()) check_deadlines(tick, core);
    });
  }

  ServerLimits limits_;
  asio::io_context io_;
  std::optional<Acceptor> acceptor_;  // until the server serves
  Protocol protocol_{AF_INET, 0};
  std::unique_ptr<asio::ssl::context> tls_;
  std::filesystem::path socket_file_;
  int port_ = -1;
};

}  // namespace

bool evict(ServerCore& core, bool (Connection::*holds)() const) {
  std::shared_ptr<Connection> oldest;
  for (const auto& each : core.connections) {
    if (each->can_be_evicted() && (holds == nullptr || ((*each).*holds)()) &&
        (!oldest || each->since() < oldest->since()))
      oldest = each;
  }
  if (oldest) oldest->close();
  return oldest != nullptr;
}

ServerCore::ServerCore(const ServerLimits& server_limits, const Service& served)
    : limits(server_limits),
      service(served),
      input_memory(server_limits.max_input_bytes),
      output_memory(server_limits.max_output_bytes),
      quick({.threads = server_limits.quick_threads, .waiting = server_limits.max_connections, .nice = 0}),
      costly({.threads = server_limits.costly_threads, .waiting = server_limits.max_waiting, .nice = 10}),
      streams({.threads = server_limits.max_streams, .waiting = 0, .nice = 0}) {}

Result<std::unique_ptr<Server>> Server::listen(const ListenAddress& address, const ServerLimits& limits) {
  auto server = std::make_unique<AsioServer>(limits);
  if (auto opened = server->open(address); !opened) return opened.error();
  return std::unique_ptr<Server>(std::move(server));
}

}  // namespace ergon::service
