#pragma once

#include <onnx/onnx_pb.h>
#include <string>

#include "base/result.h"
#include "graph/content.h"

namespace ergon::graph::onnx {

// A tensor with its data, from any field of the proto or from an external file (see external_data.h for
// `folder`). Fails if data is missing or does not match the shape.
Result<StoredTensor> stored_tensor(const ::onnx::TensorProto& tensor, const std::string& folder);

// The value of a Constant node, from any of its attributes.
Result<StoredTensor> stored_constant(const ::onnx::NodeProto& node);

}  // namespace ergon::graph::onnx
