#pragma once

#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "service/metrics/device_monitor.h"

namespace ergon::service {

inline constexpr std::string_view kGaugesSchema = "ergon.gauges/2";

// Body of an ergon.gauges document: the latest reading of every device, its energy since the server started
// and its power over the last ten minutes. Unknown values are null; an empty history is an empty list. Times
// are UTC with milliseconds.
nlohmann::ordered_json gauges_json(const MonitorSnapshot& snapshot, std::string_view host);

}  // namespace ergon::service
