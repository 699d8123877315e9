#pragma once

#include <cstdint>

#include "device/twin/specification.h"

namespace ergon::control {

// Another board of the same type. Boards differ in power more than in speed, and their hosts differ more than
// either; a controller whose prior equals the board it drives would have nothing to learn.
//
// Multiplies each of these parameters by exp(deviation x normal random number), reproducibly from the seed:
//
//   deviation 0.05   power.busy, power.resident, power.bare, power.memory,
//                    power.simt_flop, power.tensor_flop, power.half_flop,
//                    kernels.stream, kernels.tensor, kernels.simt (shares of a peak: at most 1)
//   deviation 0.15   host.inference
device::Specification other_board(device::Specification gpu, std::uint64_t seed);

}  // namespace ergon::control
