#pragma once

#include <onnx/onnx_pb.h>
#include <set>
#include <string>
#include <vector>

namespace ergon::graph::onnx {

// Inputs of the graph that stand for weights: a model without weights may list them so. They have fixed
// shapes and are read only where an operator expects a weight (the kernel of a convolution, the scale of a
// norm). The operands of a plain product are not among them.
std::set<std::string> absent_weights(const ::onnx::GraphProto& graph,
                                     const std::vector<::onnx::NodeProto>& nodes);

}  // namespace ergon::graph::onnx
