#pragma once

#include <nlohmann/json_fwd.hpp>

#include "meter/measurement.h"

namespace ergon::report {

// Energy, power, time, validity and devices; docs/json.md lists the fields.
nlohmann::ordered_json measurement_json(const meter::Measurement& measurement);

}  // namespace ergon::report
