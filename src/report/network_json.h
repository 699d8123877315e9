#pragma once

#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "graph/summary.h"

namespace ergon::report {

// {"params", "trainable_params", "macs", "macs_by_type", "flops", ...}
nlohmann::ordered_json totals_json(const graph::Totals& totals);

// One object per layer: name, type (the framework's name), operation (Ergon's name), output_shape (per
// sample; images as height, width, channels), costs, inputs (names of layers), attributes.
nlohmann::ordered_json layers_json(const graph::Network& network, const graph::NetworkCosts& costs);

// One object per distinct operation: type, attributes, input_shapes (at this batch, channels-first), count,
// and the costs of one occurrence.
nlohmann::ordered_json operations_json(const std::vector<graph::UniqueOperation>& operations,
                                       std::int64_t batch);

}  // namespace ergon::report
