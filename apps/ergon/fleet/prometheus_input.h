#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>

#include "base/result.h"
#include "base/timestamp.h"
#include "fleet/reading/source.h"

namespace ergon::app {

// Option values as text.
struct PrometheusSettings {
  std::string url;   // --prometheus
  std::string from;  // "2018-11-08T07:41:31Z", "now-2h"
  std::string to = "now";
  std::string step = "15s";
};

using SourceMaker = std::function<std::unique_ptr<fleet::TelemetrySource>(fleet::NameTables&)>;

// Creates the factory of a PrometheusSource. A `to` in the future is replaced by now, because Prometheus
// repeats the last values for some minutes. ERGON_PROMETHEUS_TOKEN is sent as bearer token, if it is set.
Result<SourceMaker> prometheus_input(const PrometheusSettings& settings, Timestamp now,
                                     const std::stop_token& stop);

}  // namespace ergon::app
