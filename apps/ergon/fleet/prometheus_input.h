#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>

#include "base/result.h"
#include "base/timestamp.h"
#include "fleet/reading/source.h"

namespace ergon::app {

// As they are typed.
struct PrometheusSettings {
  std::string url;   // --prometheus
  std::string from;  // "2018-11-08T07:41:31Z", "now-2h"
  std::string to = "now";
  std::string step = "15s";
};

using SourceMaker = std::function<std::unique_ptr<fleet::Source>(fleet::Vocabulary&)>;

// What makes the source of such samples. A `to` in the future is now, as Prometheus repeats the last values
// for some minutes. The environment's ERGON_PROMETHEUS_TOKEN is shown to the server, if it is set.
Result<SourceMaker> prometheus_input(const PrometheusSettings& settings, Timestamp now,
                                     const std::stop_token& stop);

}  // namespace ergon::app
