#pragma once

#include <onnx/onnx_pb.h>
#include <set>
#include <string>
#include <vector>

namespace ergon::graph::onnx {

// Graph inputs that are weights: a model without weights may list them as inputs. Such inputs have fixed
// shapes and are read only where an operator expects a weight (the kernel of a convolution, the scale of a
// norm). Operands of a plain product do not count.
std::set<std::string> weight_inputs(const ::onnx::GraphProto& graph,
                                    const std::vector<::onnx::NodeProto>& nodes);

}  // namespace ergon::graph::onnx
