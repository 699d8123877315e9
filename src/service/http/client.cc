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

constexpr Seconds kLongestConnecting{10};

microseconds to_microseconds(Seconds time) {
  return microseconds(static_cast<std::int64_t>(time.si() * 1e6));
}

// The library's own timeouts begin anew with every byte, and it cannot be told to stop. This one ends the
// connection when the time is over or somebody asks, again and again until the request has noticed.
class Watchdog {
 public:
  Watchdog(httplib::ClientImpl& client, Seconds timeout, const std::stop_token& stop)
      : due_(std::chrono::steady_clock::now() + to_microseconds(timeout)),
        thread_([this, &client, stop] { watch(client, stop); }) {}
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;
  ~Watchdog() { finish(); }

  // Whether the time was over before this was called.
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
  std::thread thread_;  // the last, as it uses the others
};

std::unique_ptr<httplib::ClientImpl> client_of(const Url& url) {
  if (!url.secure) return std::make_unique<httplib::ClientImpl>(url.host, url.port);
#ifdef CPPHTTPLIB_OPENSSL_SUPPORT
  return std::make_unique<httplib::SSLClient>(url.host, url.port);
#else
  return nullptr;
#endif
}

Error broken_off(httplib::Error error) {
  using enum httplib::Error;
  switch (error) {
    case Connection:
      return fail(Errc::io, "cannot connect; does it run, and is that its port?");
    case ConnectionTimeout:
      return fail(Errc::io, "cannot connect within {}", to_text(kLongestConnecting));
    case SSLConnection:
      return fail(Errc::io, "it does not speak TLS; is http meant?");
    case SSLServerVerification:
    case SSLLoadingCerts:
      return fail(Errc::permission,
                  "its certificate is not trusted here; SSL_CERT_FILE names others to trust");
    default:
      return fail(Errc::io, "the connection broke before the answer was complete");
  }
}

}  // namespace

Result<std::string> get(const Url& url, std::string_view path_and_query, const Access& access,
                        const std::stop_token& stop) {
  const std::string place = to_text(url) + std::string(path_and_query.substr(0, path_and_query.find('?')));
  const auto cancelled = [&] { return fail(Errc::cancelled, "{}: interrupted", place); };
  if (stop.stop_requested()) return cancelled();
  const auto client = client_of(url);
  if (client == nullptr) return fail(Errc::unsupported, "{}: this build of Ergon has no https", place);
  client->set_connection_timeout(to_microseconds(std::min(access.timeout, kLongestConnecting)));
  client->set_read_timeout(to_microseconds(access.timeout));
  client->set_write_timeout(to_microseconds(access.timeout));
  client->set_url_encode(false);
  httplib::Headers headers{{"Accept", "application/json"}};
#ifdef CPPHTTPLIB_ZLIB_SUPPORT
  headers.emplace("Accept-Encoding", "gzip");
#endif
  if (!access.token.empty()) headers.emplace("Authorization", "Bearer " + access.token);

  std::string body;
  bool too_large = false;
  const auto receive = [&](const char* data, std::size_t size) {
    too_large = size > access.most_bytes - body.size();
    if (!too_large) body.append(data, size);
    return !too_large && !stop.stop_requested();
  };
  Watchdog watchdog(*client, access.timeout, stop);
  const auto answer = client->Get(url.prefix + std::string(path_and_query), headers, receive);
  const bool late = watchdog.finish();

  if (answer && answer->status == 200) return body;
  if (stop.stop_requested()) return cancelled();
  if (too_large)
    return fail(Errc::io, "{}: the answer has more than {}", place, to_text(bytes(access.most_bytes)));
  if (late) return fail(Errc::io, "{}: no complete answer within {}", place, to_text(access.timeout));
  return (answer ? refusal(answer->status, body) : broken_off(answer.error())).in(place);
}

}  // namespace ergon::service
