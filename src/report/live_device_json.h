#pragma once

#include <nlohmann/json_fwd.hpp>

#include "device/device.h"

namespace ergon::report {

// A device as it is now: identity, readings, clocks, limits, capabilities. What it does not have is null.
nlohmann::ordered_json live_device_json(device::Device& gpu);

nlohmann::ordered_json capabilities_json(const device::Capabilities& capabilities);

}  // namespace ergon::report
