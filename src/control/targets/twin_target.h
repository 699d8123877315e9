#pragma once

#include "control/targets/target.h"
#include "device/twin/specification.h"
#include "graph/network.h"

namespace ergon::control {

// A network on a simulated board that differs from the nominal GPU (other_board). The prior is the nominal
// GPU's surface. Errors: a network that cannot run or does not fit the memory.
Result<Target> twin_target(const graph::Network& network, const device::Specification& nominal,
                           const TargetSettings& settings);

}  // namespace ergon::control
