#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace ergon::graph::onnx {

// Removes the data of large initializers from a model in protobuf wire format, so that parsing a model of
// gigabytes takes as long as one without weights. A stripped tensor is marked as external; its external data
// has the original length under the key kDataLength. Empty if the bytes are not valid wire format.
inline constexpr const char* kDataLength = "ergon_length";
std::optional<std::string> strip_weights(std::string_view model);

// Initializers of a model in wire format, by name; each is a serialized TensorProto.
std::unordered_map<std::string, std::string_view> initializers_in(std::string_view model);

// Whether a model has more parts than `limit`: fields with a length in its graph, functions, nodes,
// attributes and nested graphs. Reads up to the first invalid field, as the parser does.
bool has_more_parts(std::string_view model, std::uint64_t limit);

}  // namespace ergon::graph::onnx
