#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <string>

#include "serve/serve_settings.h"
#include "service/api/api.h"
#include "service/guard.h"
#include "service/metrics/service_metrics.h"
#include "service/metrics/watch.h"
#include "shell.h"

namespace ergon::app {

// Everything that answers requests: the pages, the API and /metrics, joined to the commands and devices of
// this program.
class Station {
 public:
  // Errors: a results folder or a twin that cannot be had.
  static Result<std::unique_ptr<Station>> open(const ServeSettings& settings, std::string token,
                                               Shell& shell);

  service::Response answer(const service::Request& request);

 private:
  Station(service::Guard guard, std::unique_ptr<service::Jobs> jobs,
          std::vector<std::shared_ptr<device::Device>> devices, std::filesystem::path results, Shell& shell);
  service::Response unprotected(const service::Request& request);
  service::Response metrics() const;
  std::string gauges() const;

  service::Guard guard_;
  Clock& clock_;
  std::string host_;
  Timestamp started_;
  std::unique_ptr<service::Jobs> jobs_;
  std::unique_ptr<service::Watch> watch_;
  service::Api api_;
  mutable std::mutex counting_;
  service::RequestCounts requests_;
  Shell& shell_;
};

}  // namespace ergon::app
