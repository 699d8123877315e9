#pragma once

#include <nlohmann/json_fwd.hpp>

#include "device/device.h"

namespace ergon::report {

// Current readings of a device: identity, power, clocks, power limits, capabilities. Unsupported readings are
// null.
nlohmann::ordered_json live_device_json(device::Device& gpu);

nlohmann::ordered_json capabilities_json(const device::Capabilities& can);

}  // namespace ergon::report
