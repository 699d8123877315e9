#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "graph/network.h"
#include "predict/predictor.h"

namespace ergon::predict {

// Batches that are tried unless others are requested.
inline constexpr std::array<std::int64_t, 9> kDefaultBatches{1, 2, 4, 8, 16, 32, 64, 128, 256};

// The network at the requested batch and the default batches, in every precision; mode and launch host as
// requested. By precision, then by batch. Combinations that the device or the network does not support, or
// that do not fit into memory, are omitted.
std::vector<PreparedNetwork> alternatives_of(const Predictor& predictor, const graph::Network& network,
                                             const WorkloadConfig& requested);

}  // namespace ergon::predict
