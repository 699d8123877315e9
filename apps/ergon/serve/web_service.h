#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <string>

#include "serve/serve_settings.h"
#include "service/api/api.h"
#include "service/guard.h"
#include "service/metrics/device_monitor.h"
#include "service/metrics/service_metrics.h"
#include "shell.h"

namespace ergon::app {

// Handles all requests: pages, API and /metrics. Owns the jobs and the device monitor.
class WebService {
 public:
  // Errors: the results folder cannot be used, or a twin is invalid.
  static Result<std::unique_ptr<WebService>> open(const ServeSettings& settings, std::string token,
                                                  Shell& shell);

  service::Response answer(const service::Request& request);

 private:
  WebService(service::Guard guard, std::unique_ptr<service::Jobs> jobs,
             std::vector<std::shared_ptr<device::Device>> devices, std::filesystem::path results,
             Shell& shell);
  service::Response route(const service::Request& request);
  service::Response metrics() const;
  std::string gauges() const;

  service::Guard guard_;
  Clock& clock_;
  std::string host_;
  Timestamp started_;
  std::unique_ptr<service::Jobs> jobs_;
  std::unique_ptr<service::DeviceMonitor> monitor_;
  service::Api api_;
  mutable std::mutex requests_mutex_;
  service::RequestCounts requests_;
  Shell& shell_;
};

}  // namespace ergon::app
