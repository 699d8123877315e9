#pragma once

#include <atomic>
#include <memory>
#include <string_view>

#include "service/jobs/jobs.h"
#include "service/message.h"

namespace ergon::service {

// All endpoints below /api/v1/jobs. Thread-safe. Must outlive the event streams it returns.
class JobApi {
 public:
  explicit JobApi(Jobs& jobs) : jobs_(jobs) {}

  // `rest` is the path after "/jobs": empty, or starting with a slash.
  Response answer(const Request& request, std::string_view rest);

 private:
  Response list() const;
  Response start(const Request& request);
  Response one(const Request& request, const std::string& id);
  Response act(const Request& request, const std::string& id, std::string_view action);
  Response set_cap(const Request& request, const std::string& id);
  Response events(const Request& request, const std::string& id);

  Jobs& jobs_;
  std::shared_ptr<std::atomic<int>> followers_ = std::make_shared<std::atomic<int>>(0);
};

}  // namespace ergon::service
