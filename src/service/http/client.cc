#include "service/http/client.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <httplib.h>
#include <memory>
#include <mutex>
#include <thread>

#include "base/units_text.h"
#include "service/http/server_message.h"

namespace ergon::service {
namespace {

using std::chrono::microseconds;

constexpr Seconds kMaxConnectTime{10};

microseconds to_microseconds(Seconds time) {
  return microseconds(static_cast<std::int64_t>(time.si() * 1e6));
}

// Closes the connection on timeout or on a stop request, repeatedly until the request returns. The library's
// timeouts restart with every byte, and the library has no other way to abort a request.
class Watchdog {
 public:
  Watchdog(httplib::ClientImpl& client, Seconds timeout, const std::stop_token& stop)
      : due_(std::chrono::steady_clock::now() + to_microseconds(timeout)),
        thread_([this, &client, stop] { watch(client, stop); }) {}
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;
  ~Watchdog() { finish(); }

  // Stops watching. Returns true if the timeout had expired.
  bool finish() {
    {
      const std::lock_guard lock(mutex_);
      finished_ = true;
    }
    wake_.notify_all();
    if (thread_.joinable()) thread_.join();
    return late_;
  }

 private:
  void watch(httplib::ClientImpl& client, const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    wake_.wait_until(lock, stop, due_, [&] { return finished_; });
    late_ = !finished_ && !stop.stop_requested();
    while (!finished_) {
      client.stop();
      wake_.wait_for(lock, std::chrono::milliseconds(20), [&] { return finished_; });
    }
  }

  std::chrono::steady_clock::time_point due_;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  bool finished_ = false, late_ = false;
  std::thread thread_;  // last: it uses the other members
};

std::unique_ptr<httplib::ClientImpl> client_of(const Url& url) {
  if (!url.secure) return std::make_unique<httplib::ClientImpl>(url.host, url.port);
#ifdef CPPHTTPLIB_OPENSSL_SUPPORT
  return std::make_unique<httplib::SSLClient>(url.host, url.port);
#else
  return nullptr;
#endif
}

Error connection_error(httplib::Error error) {
  using enum httplib::Error;
  switch (error) {
    case Connection:
      return fail(Errc::io, "cannot connect; check that the server runs and the port is right");
    case ConnectionTimeout:
      return fail(Errc::io, "cannot connect within {}", to_text(kMaxConnectTime));
    case SSLConnection:
      return fail(Errc::io, "the server does not use TLS; try http instead of https");
    case SSLServerVerification:
    case SSLLoadingCerts:
      return fail(Errc::permission, "the server's certificate is not trusted; set SSL_CERT_FILE");
    default:
      return fail(Errc::io, "the connection closed before the response was complete");
  }
}

}  // namespace

Result<std::string> get(const Url& url, std::string_view path_and_query, const HttpOptions& options,
                        const std::stop_token& stop) {
  const std::string target = to_text(url) + std::string(path_and_query.substr(0, path_and_query.find('?')));
  const auto cancelled = [&] { return fail(Errc::cancelled, "{}: interrupted", target); };
  if (stop.stop_requested()) return cancelled();
  const auto client = client_of(url);
  if (client == nullptr) return fail(Errc::unsupported, "{}: this build of Ergon has no https", target);
  client->set_connection_timeout(to_microseconds(std::min(options.timeout, kMaxConnectTime)));
  client->set_read_timeout(to_microseconds(options.timeout));
  client->set_write_timeout(to_microseconds(options.timeout));
  client->set_url_encode(false);
  httplib::Headers headers{{"Accept", "application/json"}};
#ifdef CPPHTTPLIB_ZLIB_SUPPORT
  headers.emplace("Accept-Encoding", "gzip");
#endif
  if (!options.token.empty()) headers.emplace("Authorization", "Bearer " + options.token);

  std::string body;
  bool too_large = false;
  const auto receive = [&](const char* data, std::size_t size) {
    too_large = size > options.max_bytes - body.size();
    if (!too_large) body.append(data, size);
    return !too_large && !stop.stop_requested();
  };
  Watchdog watchdog(*client, options.timeout, stop);
  const auto response = client->Get(url.prefix + std::string(path_and_query), headers, receive);
  const bool late = watchdog.finish();

  if (response && response->status == 200) return body;
  if (stop.stop_requested()) return cancelled();
  if (too_large)
    return fail(Errc::io, "{}: the response is larger than {}", target, to_text(bytes(options.max_bytes)));
  if (late) return fail(Errc::io, "{}: no complete response within {}", target, to_text(options.timeout));
  return (response ? refusal(response->status, body) : connection_error(response.error())).in(target);
}

}  // namespace ergon::service
