#pragma once

#include "base/result.h"
#include "device/device.h"

namespace ergon::device {

// Power from the field with the shortest averaging window. Errors: unsupported, if the device has no power
// reading.
Result<Watts> current_power(Device& device);

}  // namespace ergon::device
