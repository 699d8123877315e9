#pragma once

#include <string>

#include "device/twin/specification.h"

namespace ergon::device {

// A hash of all parameters that time, power and energy depend on; sensors and the energy counter do not
// count. A device file stores it beside its accuracy, so that an edit is noticed: the accuracy was that of
// the parameters before.
std::string parameter_digest(const Specification& gpu);

}  // namespace ergon::device
