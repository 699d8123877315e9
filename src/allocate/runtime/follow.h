#pragma once

#include <cstddef>
#include <stop_token>

#include "allocate/hardware.h"
#include "allocate/runtime/plant.h"
#include "allocate/runtime/schedule_file.h"
#include "base/result.h"
#include "base/units.h"

namespace ergon::allocate {

struct Followed {
  Seconds time;               // as measured
  std::size_t corrected = 0;  // layers that were run by another row than the first
};

// Runs the network so many times, layer by layer, by the plan: corrected after every layer by what was
// measured, or blindly. Fails as the plant does, and as cancelled when asked to stop; the plant is back at
// its highest clock then, too, as far as it lets itself be.
Result<Followed> follow(const schedule::File& plan, const Hardware& hardware, Plant& plant, std::size_t times,
                        bool corrected, const std::stop_token& stop = {});

}  // namespace ergon::allocate
