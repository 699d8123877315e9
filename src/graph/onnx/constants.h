#pragma once

#include <onnx/onnx_pb.h>

#include "base/result.h"
#include "graph/onnx/known.h"

namespace ergon::graph::onnx {

// A tensor of the file as a constant: its shape, its type, and its contents when it is small and they are
// there.
Result<Known> known_tensor(const ::onnx::TensorProto& tensor);

// The value of a Constant node, whichever of its attributes holds it.
Result<Known> known_constant(const ::onnx::NodeProto& node);

}  // namespace ergon::graph::onnx
