#include "graph/onnx/weight_inputs.h"

#include <algorithm>
#include <string_view>

#include "graph/onnx/declared.h"

namespace ergon::graph::onnx {
namespace {

bool expects_weight(const ::onnx::NodeProto& node, int input) {
  struct InputRange {
    std::string_view type;
    int first, last;
  };
  static constexpr InputRange kInputRanges[] = {{"Conv", 1, 2},
                                                {"ConvTranspose", 1, 2},
                                                {"ConvInteger", 1, 1},
                                                {"QLinearConv", 1, 8},
                                                {"Gemm", 1, 2},
                                                {"BatchNormalization", 1, 4},
                                                {"InstanceNormalization", 1, 2},
                                                {"LayerNormalization", 1, 2},
                                                {"GroupNormalization", 1, 2},
                                                {"PRelu", 1, 1},
                                                {"LSTM", 1, 3},
                                                {"GRU", 1, 3},
                                                {"RNN", 1, 3}};
  return std::any_of(std::begin(kInputRanges), std::end(kInputRanges), [&](const InputRange& range) {
    return node.op_type() == range.type && input >= range.first && input <= range.last;
  });
}

bool is_fixed(const ::onnx::ValueInfoProto& input) {
  const auto shape = declared_shape(input);
  return shape && std::all_of(shape->extents.begin(), shape->extents.end(),
                              [](const auto& extent) { return extent.size && *extent.size > 0; });
}

}  // namespace

std::set<std::string> weight_inputs(const ::onnx::GraphProto& graph,
                                    const std::vector<::onnx::NodeProto>& nodes) {
  std::set<std::string> weights;
  for (const auto& input : graph.input()) {
    if (is_fixed(input)) weights.insert(input.name());
  }
  std::set<std::string> read_as_weight;
  for (const auto& node : nodes) {
    for (int i = 0; i < node.input_size(); ++i) {
      if (expects_weight(node, i)) {
        read_as_weight.insert(node.input(i));
      } else {
        weights.erase(node.input(i));
      }
    }
  }
  for (const auto& tensor : graph.initializer()) weights.erase(tensor.name());
  std::erase_if(weights, [&](const std::string& name) { return !read_as_weight.contains(name); });
  return weights;
}

}  // namespace ergon::graph::onnx
