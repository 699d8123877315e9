#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace ergon::graph::onnx {

// A model in protobuf's wire form with the data of its large initialisers left out, so that a model of
// gigabytes is known as fast as one without weights. A tensor whose data was left out says that it lies
// elsewhere, and how long it was (the key kDataLength of its external data). Nothing when the bytes are not
// in wire form.
inline constexpr const char* kDataLength = "ergon_length";
std::optional<std::string> without_weights(std::string_view model);

// Where the initialisers of a model are in its wire form, by their names: each a TensorProto by itself.
std::unordered_map<std::string, std::string_view> initialisers_in(std::string_view model);

}  // namespace ergon::graph::onnx
