#pragma once

#include <cstddef>
#include <stop_token>

#include "allocate/hardware.h"
#include "allocate/runtime/schedule_file.h"
#include "allocate/runtime/simulated_accelerator.h"
#include "base/result.h"
#include "base/units.h"

namespace ergon::allocate {

struct Followed {
  Seconds time;
  Joules energy;
  std::size_t corrected = 0;  // layers that were run by another row than the first
};

// Runs the network so many times, layer by layer, by the plan: corrected after every layer by what was
// measured, or blindly. Fails as cancelled when asked to stop.
Result<Followed> follow(const schedule::File& plan, const Hardware& hardware, SimulatedAccelerator& plant,
                        std::size_t times, bool corrected, const std::stop_token& stop = {});

}  // namespace ergon::allocate
