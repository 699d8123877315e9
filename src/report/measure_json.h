#pragma once

#include <nlohmann/json_fwd.hpp>

#include "device/lease/held_devices.h"
#include "meter/measurement.h"

namespace ergon::report {

// Energy, power, time, validity and devices; docs/json.md lists the fields.
nlohmann::ordered_json measurement_json(const meter::Measurement& measurement);

// Requested and previous values of controls.
nlohmann::ordered_json controls_json(const std::vector<device::HeldDevices::Change>& changes);

}  // namespace ergon::report
