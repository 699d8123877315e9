#pragma once

#include <cstddef>
#include <stop_token>

#include "allocate/hardware.h"
#include "allocate/runtime/layer_runner.h"
#include "allocate/runtime/schedule_file.h"
#include "base/result.h"
#include "base/units.h"

namespace ergon::allocate {

struct FollowResult {
  Seconds time;               // measured
  std::size_t corrected = 0;  // layer runs with a row other than the first
};

// Runs the network `times` times, layer by layer, with the plan. `corrected`: the governor chooses rows by
// the measured times; otherwise always the first row. Errors: those of the runner; cancelled on stop. The
// runner is set back to its highest clock in either case.
Result<FollowResult> follow(const schedule::File& plan, const Hardware& hardware, LayerRunner& runner,
                            std::size_t times, bool corrected, const std::stop_token& stop = {});

}  // namespace ergon::allocate
