#pragma once

#include <optional>
#include <string>

#include "graph/onnx/model.h"
#include "graph/onnx/rules.h"

namespace ergon::graph::onnx {

// Operations that Ergon has and ONNX opset 17 lacks. They are exported as model functions in the domain
// "ergon", with a body for other tools, and are imported by name.
Rule find_ergon_rule(std::string_view type);

// Adds a function's body to a model.
void add_ergon_function(::onnx::ModelProto& model, const std::string& type);

// Doc string of a graph of independent layers (Network::independent_layers).
inline constexpr std::string_view kIndependentLayers = "ergon independent layers";

// The layer of a node or input, stored in its doc string: "ergon layer 12 of type SeparableConv2D named
// block2_sepconv1".
struct LayerTag {
  std::int64_t number = 0;
  std::string type;
  std::string name;
  bool training_only = false;
};
std::string to_doc_string(const LayerTag& layer);
std::optional<LayerTag> parse_layer_tag(std::string_view doc_string);

}  // namespace ergon::graph::onnx
