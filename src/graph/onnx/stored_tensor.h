#pragma once

#include <onnx/onnx_pb.h>
#include <string>

#include "base/result.h"
#include "graph/content.h"

namespace ergon::graph::onnx {

// A tensor of the file with all its numbers, from whichever field or file holds them (see external_data.h for
// `folder`). Fails when they are not there, or not as many as its shape says.
Result<StoredTensor> stored_tensor(const ::onnx::TensorProto& tensor, const std::string& folder);

// The value of a Constant node, whichever of its attributes holds it.
Result<StoredTensor> stored_constant(const ::onnx::NodeProto& node);

}  // namespace ergon::graph::onnx
