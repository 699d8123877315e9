#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "graph/cost.h"
#include "graph/network.h"

namespace ergon::profile {

// A layer that transformers computes operator by operator, where others have one kernel.
inline constexpr std::string_view kNewGelu = "NewGELUActivation";

// What a framework runs as one: an operation, or the few of an attention that one kernel computes.
struct Step {
  enum class What : std::uint8_t {
    node,       // one operation
    attention,  // softmax(q k') v
    copy,       // a transpose, and the reshape that makes it move its elements
    view,       // moves and computes nothing: reshapes, splits, dropouts while inferring
  };
  What what = What::node;
  std::string kind;                    // "conv", "attention", "transpose": as tables name it
  std::vector<graph::NodeId> nodes;    // in the network's order
  std::vector<graph::ValueId> inputs;  // that come from outside of it, each once
  graph::ValueId output = 0;           // the first
  double dropout = 0;                  // of an attention in training
};

// A network as the steps of one pass, each behind those it reads from. Layers that exist in training only are
// left out for inference. `exact`: every operation by itself, as its numbers mean it.
struct Reading {
  graph::Mode mode = graph::Mode::inference;
  bool exact = false;
};
std::vector<Step> steps_of(const graph::Network& network, const Reading& reading);

// A step as a network of its own, whose inputs are what it reads.
graph::Network network_of(const graph::Network& network, const Step& step);

}  // namespace ergon::profile
