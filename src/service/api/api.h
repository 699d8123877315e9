#pragma once

#include <functional>
#include <optional>
#include <string>

#include "service/api/document_api.h"
#include "service/api/job_api.h"
#include "service/api/stored_results.h"
#include "service/message.h"

namespace ergon::service {

// All endpoints below /api/v1. Thread-safe.
class Api {
 public:
  using Text = std::function<std::string()>;

  // `gauges` returns the ergon.gauges document with the devices' current readings.
  Api(RunCommand run, Jobs& jobs, std::filesystem::path results, Text gauges);

  Response answer(const Request& request);
  // The response to a request whose document is cached. Quick enough for the thread that serves all
  // connections.
  std::optional<Response> cached(const Request& request);
  // Whether the response may take long to compute.
  static bool is_costly(const Request& request);

 private:
  Response results(std::string_view rest) const;

  DocumentApi documents_;
  JobApi jobs_;
  StoredResults results_;
  Text gauges_;
};

}  // namespace ergon::service
