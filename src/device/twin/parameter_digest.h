#pragma once

#include <string>

#include "device/twin/specification.h"

namespace ergon::device {

// A hash of all parameters but those of sensors and of the energy counter, which no prediction depends on. A
// device file stores it beside its accuracy, so that an edit is noticed: the accuracy was that of the
// parameters before.
std::string parameter_digest(const Specification& gpu);

}  // namespace ergon::device
