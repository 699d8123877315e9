#pragma once

#include <memory>

#include "control/surface.h"

namespace ergon::control {

// What is believed of a device about which nothing is known but its idle power and that it can draw so much.
std::shared_ptr<const Surface> vague_surface(Watts idle, Watts most, const Knobs& knobs);

}  // namespace ergon::control
