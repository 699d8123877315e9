#pragma once

#include <cstddef>
#include <onnx/onnx_pb.h>
#include <optional>
#include <string>
#include <vector>

namespace ergon::graph::onnx {

// `size` bytes of a tensor's external data. The location must be a plain file name inside `folder`, the
// model's folder; "" means no folder. Empty if the file has fewer bytes.
std::optional<std::vector<std::byte>> external_bytes(const ::onnx::TensorProto& tensor,
                                                     const std::string& folder, std::int64_t size);

}  // namespace ergon::graph::onnx
