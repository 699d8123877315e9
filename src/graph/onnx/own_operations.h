#pragma once

#include <optional>
#include <string>

#include "graph/onnx/model.h"
#include "graph/onnx/rules.h"

namespace ergon::graph::onnx {

// Operations that a network of Ergon has and ONNX (at the opset we write) has not. They are written as
// functions of the model in the domain "ergon", with a body for other tools, and are read back by name.
Rule find_own_rule(std::string_view type);

// Adds a function's body to a model.
void add_own_function(::onnx::ModelProto& model, const std::string& type);

// Written into the graph's doc string when its layers stand side by side, each with an input of its own.
inline constexpr std::string_view kIndependentLayers = "ergon independent layers";

// What layer a node or an input was written for, in its doc string: "ergon layer 12 of type SeparableConv2D
// named block2_sepconv1".
struct OwnLayer {
  std::int64_t number = 0;
  std::string type;
  std::string name;
  bool training_only = false;
};
std::string to_doc_string(const OwnLayer& layer);
std::optional<OwnLayer> layer_written_in(std::string_view doc_string);

}  // namespace ergon::graph::onnx
