#pragma once

#include <chrono>
#include <future>
#include <memory>
#include <stop_token>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "service/http/server.h"
#include "support/raw_http.h"

namespace ergon::test {

inline service::ServerLimits small_limits() {
  service::ServerLimits limits;
  limits.max_request_bytes = 10'000;
  return limits;
}

// Listens on a free port until it is destroyed.
class ServerOnLoopback {
 public:
  explicit ServerOnLoopback(service::Service service, const service::ServerLimits& limits = small_limits(),
                            const service::ListenAddress& address = {})
      : service_(std::move(service)) {
    auto listening = service::Server::listen(address, limits);
    if (!listening) {
      ADD_FAILURE() << listening.error().message;
      return;
    }
    server_ = std::move(*listening);
    thread_ = std::thread([this] {
      server_->serve(service_, stop_.get_token());
      ended_.set_value();
    });
  }
  explicit ServerOnLoopback(service::Handler answer, const service::ServerLimits& limits = small_limits())
      : ServerOnLoopback(service::Service{.answer = std::move(answer)}, limits) {}
  ~ServerOnLoopback() {
    stop();
    if (thread_.joinable()) thread_.join();
  }

  int port() const { return server_->port(); }
  void stop() { stop_.request_stop(); }
  bool ends() { return ended_future_.wait_for(std::chrono::seconds(20)) == std::future_status::ready; }

  HttpAnswer get(const std::string& target) const {
    return raw("GET " + target + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  }
  HttpAnswer raw(const std::string& text) const {
    RawConnection connection(port());
    EXPECT_TRUE(connection.open());
    connection.send(text);
    return connection.answer();
  }

 private:
  service::Service service_;
  std::unique_ptr<service::Server> server_;
  std::stop_source stop_;
  std::promise<void> ended_;
  std::future<void> ended_future_ = ended_.get_future();
  std::thread thread_;
};

}  // namespace ergon::test
