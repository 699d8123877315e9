#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>

#include "base/result.h"
#include "base/timestamp.h"
#include "fleet/prometheus/query_times.h"
#include "fleet/reading/source.h"

namespace ergon::app {

using SourceMaker = std::function<std::unique_ptr<fleet::TelemetrySource>(fleet::NameTables&)>;

// Joins fleet::PrometheusSource to the HTTP client. ERGON_PROMETHEUS_TOKEN is sent as bearer token, if it is
// set.
Result<SourceMaker> prometheus_input(const std::string& url, const fleet::QueryTimes& times, Timestamp now,
                                     const std::stop_token& stop);

}  // namespace ergon::app
