#pragma once

#include <nlohmann/json_fwd.hpp>

#include "device/lease/held_devices.h"
#include "meter/grouped.h"

namespace ergon::report {

// Energy, power, time, validity and devices; docs/json.md lists the fields.
nlohmann::ordered_json measurement_json(const meter::Measurement& measurement);

// The same of a group: above idle if idle power was measured, then with the idle baseline and the gross
// values.
nlohmann::ordered_json group_json(const meter::DeviceGroup& group);

// Requested and previous values of controls.
nlohmann::ordered_json controls_json(const std::vector<device::HeldDevices::Change>& changes);

}  // namespace ergon::report
