#pragma once

#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "service/metrics/watch.h"

namespace ergon::service {

inline constexpr std::string_view kGaugesSchema = "ergon.gauges/1";

// What the dashboard draws of the machine as it is now: the body of that schema's documents, with every
// device's newest reading and its power over the last ten minutes. What is not told is null; history without
// a point is an empty list. Times are UTC, to the millisecond.
nlohmann::ordered_json gauges_json(const WatchSnapshot& snapshot, std::string_view host);

}  // namespace ergon::service
