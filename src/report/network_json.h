#pragma once

#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "graph/summary.h"
#include "graph/zoo/listing.h"

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

struct InspectConfig {
  std::int64_t batch = 1;
  graph::Mode mode = graph::Mode::inference;
};
// Inputs, totals, layers and operations of a network: the body of `ergon inspect --json`.
nlohmann::ordered_json inspect_json(const graph::Network& network, const graph::NetworkCosts& costs,
                                    const std::vector<graph::UniqueOperation>& operations,
                                    const InspectConfig& config);

// One network of `ergon zoo --json`.
nlohmann::ordered_json zoo_json(const graph::zoo::Listing& listing);

}  // namespace ergon::report
