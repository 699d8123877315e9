#pragma once

#include <memory>

#include "control/surfaces/surface.h"

namespace ergon::control {

// Prior for a device of which only idle power and maximum power are known.
std::shared_ptr<const Surface> generic_surface(Watts idle, Watts max_power, const Knobs& knobs);

}  // namespace ergon::control
