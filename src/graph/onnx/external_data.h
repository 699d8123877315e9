#pragma once

#include <cstddef>
#include <onnx/onnx_pb.h>
#include <optional>
#include <string>
#include <vector>

namespace ergon::graph::onnx {

// `size` bytes of a tensor's data from a file beside the model. Only a plain name inside the model's folder
// is followed; "" means that there is no folder to look in. Nothing when they are not all there.
std::optional<std::vector<std::byte>> external_bytes(const ::onnx::TensorProto& tensor,
                                                     const std::string& folder, std::int64_t size);

}  // namespace ergon::graph::onnx
