#pragma once

#include <cstdint>

#include "device/twin/specification.h"

namespace ergon::app {

// Another board of the same kind. Two boards of one type differ, in what they draw more than in how fast they
// are, and the host they sit in more than either; a controller that starts with the very numbers of the board
// it drives would have nothing to learn.
//
// Each of these is multiplied by the exponential of a normal number, the same for the same seed:
//
//   deviation 0.05   power.busy, power.resident, power.bare, power.memory,
//                    power.simt_flop, power.tensor_flop, power.half_flop,
//                    kernels.stream, kernels.tensor, kernels.simt (shares of a peak: 1 at most)
//   deviation 0.15   host.inference
device::Specification other_board(device::Specification gpu, std::uint64_t seed);

}  // namespace ergon::app
