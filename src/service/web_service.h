#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/clock.h"
#include "device/device.h"
#include "service/api/api.h"
#include "service/guard.h"
#include "service/jobs/jobs.h"
#include "service/metrics/device_monitor.h"
#include "service/metrics/service_metrics.h"
#include "service/site.h"

namespace ergon::service {

// What a WebService is made of.
struct WebServiceParts {
  Guard guard;
  std::unique_ptr<Jobs> jobs;
  std::vector<std::shared_ptr<device::Device>> devices;  // to monitor
  std::filesystem::path results;                         // folder of stored documents
  SiteFiles files;
  std::string host;  // name of this machine
  RunCommand run;    // runs a command of the API in this process
  // The text of a JSON document with this body. `simulated`: a device is simulated.
  std::function<std::string(std::string_view schema, const nlohmann::ordered_json& body, bool simulated)>
      document;
};

// Handles all requests: pages, API and /metrics. Owns the jobs and the device monitor. Thread-safe.
class WebService {
 public:
  // The clock outlives the service.
  WebService(WebServiceParts parts, Clock& clock);

  Response answer(const Request& request);
  // Rejects requests before their bodies are read, answers those for the page and for cached documents, and
  // separates costly requests from quick ones.
  Admission admit(const Request& head);

 private:
  Response route(const Request& request);
  Response counted(Response response);
  Response metrics() const;
  std::string gauges() const;

  WebServiceParts parts_;
  Timestamp started_;
  DeviceMonitor monitor_;
  Api api_;
  mutable std::mutex requests_mutex_;
  RequestCounts requests_;
};

}  // namespace ergon::service
