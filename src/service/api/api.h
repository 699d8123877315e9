#pragma once

#include <functional>
#include <string>

#include "service/api/document_api.h"
#include "service/api/job_api.h"
#include "service/api/kept_results.h"
#include "service/message.h"

namespace ergon::service {

// Everything below /api/v1. Any thread.
class Api {
 public:
  using Text = std::function<std::string()>;

  // `gauges` gives the document of what devices show now.
  Api(RunCommand run, Jobs& jobs, std::filesystem::path results, Text gauges);

  Response answer(const Request& request);

 private:
  Response results(std::string_view rest) const;

  DocumentApi documents_;
  JobApi jobs_;
  KeptResults results_;
  Text gauges_;
};

}  // namespace ergon::service
