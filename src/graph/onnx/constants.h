#pragma once

#include <onnx/onnx_pb.h>
#include <string>

#include "base/result.h"
#include "graph/onnx/known.h"

namespace ergon::graph::onnx {

// A tensor of the file as a constant: its shape, its type, and its contents when it is small and they are
// there. Small tensors whose data lies in a file in `folder` are read; "" means that there is no folder to
// look in.
Result<Known> known_tensor(const ::onnx::TensorProto& tensor, const std::string& folder);

// Only the shape of a sparse tensor matters.
Result<Known> known_sparse(const ::onnx::SparseTensorProto& tensor);

// The value of a Constant node, whichever of its attributes holds it.
Result<Known> known_constant(const ::onnx::NodeProto& node);

}  // namespace ergon::graph::onnx
