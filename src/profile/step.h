#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "graph/cost.h"
#include "graph/network.h"

namespace ergon::profile {

// A layer type that transformers computes with several elementwise operators; other GELUs are one kernel.
inline constexpr std::string_view kNewGelu = "NewGELUActivation";

// What a framework launches as one operation: a node, or the nodes of an attention that one kernel computes.
struct Step {
  enum class Kind : std::uint8_t {
    node,       // one operation
    attention,  // softmax(q k') v
    copy,       // a transpose and the reshape that forces a copy
    view,       // no data movement or computation: reshapes, splits, dropouts at inference
  };
  Kind kind = Kind::node;
  std::string type;                    // "conv", "attention", "transpose": as in tables
  std::vector<graph::NodeId> nodes;    // in network order
  std::vector<graph::ValueId> inputs;  // from outside of the step, each once
  graph::ValueId output = 0;           // the first
  double dropout = 0;                  // probability, of an attention in training
};

// Options of steps_of().
struct StepOptions {
  graph::Mode mode = graph::Mode::inference;
  bool exact = false;  // do not fuse operations: every node is a step
};
// The steps of one pass, in topological order. At inference, layers that exist only in training are omitted.
std::vector<Step> steps_of(const graph::Network& network, const StepOptions& options);

// A step as a separate network with the step's inputs.
graph::Network network_of(const graph::Network& network, const Step& step);

}  // namespace ergon::profile
