#include "graph/operation.h"

#include <array>

#include <fmt/format.h>

#include "graph/overloaded.h"

namespace ergon::graph {
namespace {

constexpr std::array<std::string_view, 33> kFunctions{
    "relu",          "relu6",        "leaky_relu", "prelu",      "elu",        "selu",  "celu",
    "sigmoid",       "hard_sigmoid", "swish",      "hard_swish", "gelu",       "mish",  "tanh",
    "softplus",      "softsign",     "clip",       "exp",        "log",        "sqrt",  "reciprocal",
    "erf",           "abs",          "negative",   "floor",      "ceil",       "round", "sign",
    "trigonometric", "logical_not",  "cast",       "quantize",   "elementwise"};
static_assert(kFunctions.size() == static_cast<std::size_t>(Function::other) + 1);

constexpr std::array<std::string_view, 13> kCombines{"add",     "subtract", "multiply", "divide", "power",
                                                     "modulo",  "minimum",  "maximum",  "mean",   "compare",
                                                     "logical", "where",    "shift"};
static_assert(kCombines.size() == static_cast<std::size_t>(Combine::shift) + 1);

constexpr std::array<std::string_view, 3> kPools{"max", "average", "norm"};
constexpr std::array<std::string_view, 9> kReductions{"mean", "sum",     "max",        "min", "product",
                                                      "norm", "log_sum", "square_sum", "arg"};

std::vector<std::int64_t> list(const Extent& extent) {
  return {extent.sizes().begin(), extent.sizes().end()};
}

// Attributes in the order in which they are added.
class AttributeList {
 public:
  void flag(std::string_view name, bool value) { list_.push_back({name, value}); }
  void number(std::string_view name, std::int64_t value) { list_.push_back({name, value}); }
  void text(std::string_view name, std::string value) { list_.push_back({name, std::move(value)}); }
  void sizes(std::string_view name, const std::vector<std::int64_t>& value) {
    list_.emplace_back();
    list_.back().name = name;
    list_.back().value.emplace<std::vector<std::int64_t>>(value);
  }
  void window(const Window& window) {
    sizes("kernel", list(window.kernel));
    sizes("stride", list(window.stride));
    std::vector<std::int64_t> padding = list(window.pad_begin);
    for (const std::int64_t end : window.pad_end.sizes()) padding.push_back(end);
    sizes("padding", padding);
    if (window.dilation != Extent::same(window.rank(), 1)) sizes("dilation", list(window.dilation));
  }

  std::vector<Attribute> take() { return std::move(list_); }

 private:
  std::vector<Attribute> list_;
};

}  // namespace

std::string_view name_of(Function function) { return kFunctions[static_cast<std::size_t>(function)]; }
std::string_view name_of(Combine combine) { return kCombines[static_cast<std::size_t>(combine)]; }
std::string_view name_of(PoolKind kind) { return kPools[static_cast<std::size_t>(kind)]; }
std::string_view name_of(ReduceKind kind) { return kReductions[static_cast<std::size_t>(kind)]; }

bool is_depthwise(const Convolution& convolution, const Shape& input) {
  return convolution.groups > 1 && input.rank() >= 2 && convolution.groups == input[1].size;
}

std::string kind_of(const Operation& operation, std::span<const Shape> inputs) {
  return std::visit(
      Overloaded{
          [](const Input&) -> std::string { return "input"; },
          [&](const Convolution& op) -> std::string {
            return !inputs.empty() && is_depthwise(op, inputs[0]) ? "depthwise_conv" : "conv";
          },
          [](const TransposedConvolution&) -> std::string { return "transposed_conv"; },
          [](const Dense&) -> std::string { return "dense"; },
          [](const MatrixProduct&) -> std::string { return "matmul"; },
          [](const Einsum&) -> std::string { return "einsum"; },
          [](const Recurrent& op) -> std::string {
            if (op.cell == RecurrentCell::lstm) return "lstm";
            return op.cell == RecurrentCell::gru ? "gru" : "rnn";
          },
          [](const BatchNorm&) -> std::string { return "batch_norm"; },
          [](const GroupNorm& op) -> std::string { return op.groups == 0 ? "instance_norm" : "group_norm"; },
          [](const LayerNorm&) -> std::string { return "layer_norm"; },
          [](const LocalResponseNorm&) -> std::string { return "local_response_norm"; },
          [](const Normalization&) -> std::string { return "normalization"; },
          [](const Elementwise& op) { return std::string(name_of(op.function)); },
          [](const Arithmetic& op) { return std::string(name_of(op.combine)); },
          [](const Softmax&) -> std::string { return "softmax"; },
          [](const Pool& op) { return fmt::format("{}_pool", name_of(op.kind)); },
          [](const AdaptivePool& op) { return fmt::format("adaptive_{}_pool", name_of(op.kind)); },
          [](const Reduce& op) { return fmt::format("reduce_{}", name_of(op.kind)); },
          [](const Concat&) -> std::string { return "concat"; },
          [](const Split&) -> std::string { return "split"; },
          [](const Slice&) -> std::string { return "slice"; },
          [](const Pad&) -> std::string { return "pad"; },
          [](const Reshape&) -> std::string { return "reshape"; },
          [](const Transpose&) -> std::string { return "transpose"; },
          [](const Resize&) -> std::string { return "resize"; },
          [](const Expand&) -> std::string { return "expand"; },
          [](const Parameter&) -> std::string { return "parameter"; },
          [](const Embedding&) -> std::string { return "embedding"; },
          [](const Gather&) -> std::string { return "gather"; },
          [](const Dropout&) -> std::string { return "dropout"; },
          [](const Identity&) -> std::string { return "identity"; },
          [](const Unknown&) -> std::string { return "unknown"; },
      },
      operation);
}

std::vector<Attribute> attributes_of(const Operation& operation, std::span<const Shape> inputs) {
  AttributeList add;
  std::visit(Overloaded{
                 [&](const Convolution& op) {
                   add.window(op.window);
                   if (!inputs.empty() && inputs[0].rank() >= 2) add.number("in_channels", inputs[0][1].size);
                   add.number("out_channels", op.out_channels);
                   add.number("groups", op.groups);
                   add.flag("bias", op.bias);
                   if (op.standardized) add.flag("standardized", true);
                 },
                 [&](const TransposedConvolution& op) {
                   add.window(op.window);
                   if (!inputs.empty() && inputs[0].rank() >= 2) add.number("in_channels", inputs[0][1].size);
                   add.number("out_channels", op.out_channels);
                   add.number("groups", op.groups);
                   add.flag("bias", op.bias);
                 },
                 [&](const Dense& op) {
                   if (!inputs.empty() && inputs[0].rank() >= 1) {
                     add.number("in_features", inputs[0][inputs[0].rank() - 1].size);
                   }
                   add.number("out_features", op.out_features);
                   add.flag("bias", op.bias);
                 },
                 [&](const MatrixProduct& op) {
                   if (op.weight) add.sizes("weight", op.weight->at(1));
                 },
                 [&](const Einsum& op) { add.text("equation", op.equation); },
                 [&](const Recurrent& op) {
                   add.number("hidden", op.hidden);
                   add.number("directions", op.directions);
                   add.flag("bias", op.bias);
                 },
                 [&](const BatchNorm& op) {
                   add.flag("scale", op.scale);
                   add.flag("center", op.center);
                 },
                 [&](const GroupNorm& op) {
                   if (op.groups != 0) add.number("groups", op.groups);
                 },
                 [&](const LayerNorm& op) {
                   add.number("axes", static_cast<std::int64_t>(op.axes));
                   add.flag("scale", op.scale);
                   add.flag("center", op.center);
                 },
                 [&](const LocalResponseNorm& op) { add.number("size", op.size); },
                 [&](const Elementwise& op) {
                   if (op.to) add.text("to", std::string(name_of(*op.to)));
                 },
                 [&](const Arithmetic& op) {
                   if (op.weight) add.sizes("weight", op.weight->at(1));
                   if (op.scalar) add.flag("scalar", true);
                 },
                 [&](const Softmax& op) { add.number("axis", op.axis); },
                 [&](const Pool& op) {
                   add.window(op.window);
                   if (op.round_up) add.flag("ceil", true);
                 },
                 [&](const AdaptivePool& op) { add.sizes("output", list(op.output)); },
                 [&](const Reduce& op) {
                   add.sizes("axes", op.axes);
                   add.flag("keep", op.keep);
                 },
                 [&](const Concat& op) { add.number("axis", op.axis); },
                 [&](const Split& op) {
                   add.number("axis", op.axis);
                   add.sizes("sizes", op.sizes);
                 },
                 [&](const Slice& op) { add.sizes("result", op.result.per_sample()); },
                 [&](const Pad& op) {
                   add.sizes("begin", op.begin);
                   add.sizes("end", op.end);
                 },
                 [&](const Reshape& op) { add.sizes("result", op.result.per_sample()); },
                 [&](const Transpose& op) { add.sizes("order", op.order); },
                 [&](const Resize& op) { add.sizes("result", op.result.per_sample()); },
                 [&](const Expand& op) { add.sizes("result", op.result.per_sample()); },
                 [&](const Parameter& op) { add.sizes("weight", op.weight.at(1)); },
                 [&](const Embedding& op) {
                   add.number("rows", op.rows);
                   add.number("width", op.width);
                 },
                 [&](const Gather& op) { add.sizes("result", op.result.per_sample()); },
                 [&](const Unknown& op) {
                   if (!op.domain.empty()) add.text("domain", op.domain);
                   add.text("operation", op.type);
                 },
                 [](const auto&) {},
             },
             operation);
  return add.take();
}

std::string to_text(const Attribute::Value& value) {
  return std::visit(Overloaded{
                        [](bool flag) -> std::string { return flag ? "yes" : "no"; },
                        [](std::int64_t number) { return std::to_string(number); },
                        [](const std::string& text) { return text; },
                        [](const std::vector<std::int64_t>& sizes) { return sizes_text(sizes); },
                    },
                    value);
}

}  // namespace ergon::graph
