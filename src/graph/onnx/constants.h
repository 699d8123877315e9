#pragma once

#include <onnx/onnx_pb.h>
#include <string>

#include "base/result.h"
#include "graph/onnx/value_info.h"

namespace ergon::graph::onnx {

// ValueInfo of a constant tensor: shape, type and, for small tensors, contents if available. Small external
// tensors are read from files in `folder`; "" means no folder.
Result<ValueInfo> tensor_info(const ::onnx::TensorProto& tensor, const std::string& folder);

// Shape and type only.
Result<ValueInfo> sparse_tensor_info(const ::onnx::SparseTensorProto& tensor);

// The value of a Constant node, from any of its attributes.
Result<ValueInfo> constant_info(const ::onnx::NodeProto& node);

}  // namespace ergon::graph::onnx
