#include "graph/onnx/ergon_functions.h"

#include <fmt/format.h>

#include "base/text.h"

namespace ergon::graph::onnx {
namespace {

using ::onnx::FunctionProto;
using ::onnx::NodeProto;

template <Function F>
Result<Lowered> function(const NodeCall& call) {
  const auto shape = call.shape(0);
  if (!shape) return shape.error();
  return Lowered{Elementwise{F}, {0}, {}, {}};
}

// x, scale, bias
Result<Lowered> ergon_group_norm(const NodeCall& call) {
  const auto shape = call.shape(0);
  if (!shape) return shape.error();
  return Lowered{
      GroupNorm{call.integer("groups", 32)}, {0}, {{1, WeightRole::scale}, {2, WeightRole::bias}}, {}};
}

// x, mean, variance, count
Result<Lowered> normalization(const NodeCall& call) {
  const auto shape = call.shape(0);
  if (!shape) return shape.error();
  return Lowered{Normalization{},
                 {0},
                 {{1, WeightRole::statistic}, {2, WeightRole::statistic}, {3, WeightRole::statistic}},
                 {}};
}

// x, kernel
Result<Lowered> standardized_conv(const NodeCall& call) {
  const Rule conv = find_rule("Conv");
  auto lowered = conv(call);
  if (lowered) std::get<Convolution>(lowered->operation).standardized = true;
  return lowered;
}

// x, scale: RMS norm
Result<Lowered> rms_norm(const NodeCall& call) {
  const auto shape = call.shape(0);
  if (!shape) return shape.error();
  return Lowered{LayerNorm{1, true, false}, {0}, {{1, WeightRole::scale}}, {}};
}

// x, and the matrices that average rows and columns
Result<Lowered> adaptive_pool(const NodeCall& call) {
  const auto shape = call.shape(0);
  if (!shape) return shape.error();
  const auto output = call.integers("output");
  if (!output || output->size() != 2) return fail(Errc::invalid_input, "the attribute output is missing");
  return Lowered{AdaptivePool{PoolKind::average, Extent(*output)}, {0}, {}, {}};
}

// x, kernel, bias: dense layer over the last axis of a tensor of rank 3 or more
Result<Lowered> dense(const NodeCall& call) {
  const Rule matmul = find_rule("MatMul");
  auto lowered = matmul(call);
  if (!lowered) return lowered;
  auto* op = std::get_if<Dense>(&lowered->operation);
  if (op == nullptr || !call.has(2))
    return fail(Errc::invalid_input, "a dense layer needs a constant kernel and a bias");
  op->bias = true;
  lowered->weights.push_back({2, WeightRole::bias});
  return lowered;
}

// A learned tensor, or its first rows. An extent of -1 is the batch of the second input.
Result<Lowered> parameter(const NodeCall& call) {
  const auto weight = call.shape(0);
  if (!weight) return weight.error();
  const auto sizes = call.integers("result");
  if (!sizes || sizes->size() > Shape::kMaxRank)
    return fail(Errc::invalid_input, "the attribute result is missing");
  Shape result;
  for (const std::int64_t size : *sizes) result.push_back(size == -1 ? Dim::batch() : Dim{size});
  const bool learned = call.integer("learned", 1) != 0;
  return Lowered{Parameter{*weight, result},
                 {},
                 {{0, learned ? WeightRole::other : WeightRole::statistic}},
                 {call.in(0).type}};
}

// Batch norm without scale: x, bias, mean, variance
Result<Lowered> centered_batch_norm(const NodeCall& call) {
  const auto shape = call.shape(0);
  if (!shape) return shape.error();
  return Lowered{BatchNorm{false, true},
                 {0},
                 {{1, WeightRole::bias}, {2, WeightRole::statistic}, {3, WeightRole::statistic}},
                 {}};
}

constexpr std::string_view kLayerStart = "ergon layer ";

NodeProto* add_node(FunctionProto& body, const char* type, std::initializer_list<const char*> inputs,
                    const char* output) {
  NodeProto* node = body.add_node();
  node->set_op_type(type);
  node->set_name(output);
  for (const char* input : inputs) node->add_input(input);
  node->add_output(output);
  return node;
}

void set_ints(NodeProto* node, const char* name, std::initializer_list<std::int64_t> values) {
  auto* attribute = node->add_attribute();
  attribute->set_name(name);
  attribute->set_type(::onnx::AttributeProto::INTS);
  for (const std::int64_t value : values) attribute->add_ints(value);
}

void set_int(NodeProto* node, const char* name, std::int64_t value) {
  auto* attribute = node->add_attribute();
  attribute->set_name(name);
  attribute->set_type(::onnx::AttributeProto::INT);
  attribute->set_i(value);
}

void constant(FunctionProto& body, const char* output, float value) {
  auto* attribute = add_node(body, "Constant", {}, output)->add_attribute();
  attribute->set_name("value_float");
  attribute->set_type(::onnx::AttributeProto::FLOAT);
  attribute->set_f(value);
}

void integers(FunctionProto& body, const char* output, std::initializer_list<std::int64_t> values) {
  set_ints(add_node(body, "Constant", {}, output), "value_ints", values);
}

// Forwards an attribute of the call to a node of the body.
void forward_as(NodeProto* node, const char* inner, const char* outer,
                ::onnx::AttributeProto::AttributeType type) {
  auto* attribute = node->add_attribute();
  attribute->set_name(inner);
  attribute->set_ref_attr_name(outer);
  attribute->set_type(type);
}

void forward(NodeProto* node, const char* name, ::onnx::AttributeProto::AttributeType type) {
  forward_as(node, name, name, type);
}

void inputs(FunctionProto& body, std::initializer_list<const char*> names) {
  for (const char* name : names) body.add_input(name);
  body.add_output("y");
}

void write_body(FunctionProto& body, const std::string& type) {
  if (type == "Swish") {
    inputs(body, {"x"});
    add_node(body, "Sigmoid", {"x"}, "gate");
    add_node(body, "Mul", {"x", "gate"}, "y");
  } else if (type == "Gelu") {
    inputs(body, {"x"});
    constant(body, "root", 1.41421356F);
    constant(body, "one", 1.0F);
    constant(body, "half", 0.5F);
    add_node(body, "Div", {"x", "root"}, "scaled");
    add_node(body, "Erf", {"scaled"}, "erf");
    add_node(body, "Add", {"erf", "one"}, "shifted");
    add_node(body, "Mul", {"x", "shifted"}, "twice");
    add_node(body, "Mul", {"twice", "half"}, "y");
  } else if (type == "GroupNorm") {
    // Instance norm over groups reshaped to channels, then a scale and a bias per channel.
    inputs(body, {"x", "scale", "bias"});
    body.add_attribute("groups");
    forward_as(add_node(body, "Constant", {}, "groups"), "value_int", "groups", ::onnx::AttributeProto::INT);
    integers(body, "first", {0});
    integers(body, "rest", {-1});
    integers(body, "list", {1});
    add_node(body, "Reshape", {"groups", "list"}, "count");
    auto* target = add_node(body, "Concat", {"first", "count", "rest"}, "target");
    set_int(target, "axis", 0);
    add_node(body, "Reshape", {"x", "target"}, "grouped");
    add_node(body, "Shape", {"x"}, "shape");
    constant(body, "unit", 1.0F);
    constant(body, "zero", 0.0F);
    add_node(body, "Expand", {"unit", "count"}, "ones");
    add_node(body, "Expand", {"zero", "count"}, "zeros");
    add_node(body, "InstanceNormalization", {"grouped", "ones", "zeros"}, "normal");
    add_node(body, "Reshape", {"normal", "shape"}, "whole");
    integers(body, "axes", {1, 2});
    add_node(body, "Unsqueeze", {"scale", "axes"}, "scales");
    add_node(body, "Unsqueeze", {"bias", "axes"}, "biases");
    add_node(body, "Mul", {"whole", "scales"}, "scaled");
    add_node(body, "Add", {"scaled", "biases"}, "y");
  } else if (type == "Normalization") {
    inputs(body, {"x", "mean", "variance", "count"});
    integers(body, "axes", {1, 2});
    add_node(body, "Unsqueeze", {"mean", "axes"}, "means");
    add_node(body, "Sqrt", {"variance"}, "deviation");
    add_node(body, "Unsqueeze", {"deviation", "axes"}, "deviations");
    add_node(body, "Sub", {"x", "means"}, "centered");
    add_node(body, "Div", {"centered", "deviations"}, "y");
  } else if (type == "StandardizedConv") {
    inputs(body, {"x", "kernel"});
    for (const char* name : {"strides", "pads"}) body.add_attribute(name);
    auto* mean = add_node(body, "ReduceMean", {"kernel"}, "mean");
    set_ints(mean, "axes", {1, 2, 3});
    add_node(body, "Sub", {"kernel", "mean"}, "centered");
    add_node(body, "Mul", {"centered", "centered"}, "squares");
    auto* variance = add_node(body, "ReduceMean", {"squares"}, "variance");
    set_ints(variance, "axes", {1, 2, 3});
    constant(body, "epsilon", 1e-10F);
    add_node(body, "Add", {"variance", "epsilon"}, "positive");
    add_node(body, "Sqrt", {"positive"}, "deviation");
    add_node(body, "Div", {"centered", "deviation"}, "standard");
    auto* conv = add_node(body, "Conv", {"x", "standard"}, "y");
    forward(conv, "strides", ::onnx::AttributeProto::INTS);
    forward(conv, "pads", ::onnx::AttributeProto::INTS);
  } else if (type == "RmsNorm") {
    inputs(body, {"x", "scale"});
    add_node(body, "Mul", {"x", "x"}, "squares");
    auto* mean = add_node(body, "ReduceMean", {"squares"}, "mean");
    set_ints(mean, "axes", {-1});
    constant(body, "epsilon", 1e-5F);
    add_node(body, "Add", {"mean", "epsilon"}, "positive");
    add_node(body, "Sqrt", {"positive"}, "root");
    add_node(body, "Div", {"x", "root"}, "normal");
    add_node(body, "Mul", {"normal", "scale"}, "y");
  } else if (type == "AdaptiveAveragePool") {
    inputs(body, {"x", "rows", "columns"});
    body.add_attribute("output");
    add_node(body, "MatMul", {"x", "columns"}, "narrow");
    add_node(body, "MatMul", {"rows", "narrow"}, "y");
  } else if (type == "Dense") {
    inputs(body, {"x", "kernel", "bias"});
    add_node(body, "MatMul", {"x", "kernel"}, "product");
    add_node(body, "Add", {"product", "bias"}, "y");
  } else if (type == "Token") {
    // Broadcast to all samples.
    inputs(body, {"weight", "like"});
    for (const char* name : {"result", "learned"}) body.add_attribute(name);
    auto* batch = add_node(body, "Shape", {"like"}, "batch");
    set_int(batch, "start", 0);
    set_int(batch, "end", 1);
    forward_as(add_node(body, "Constant", {}, "target"), "value_ints", "result",
               ::onnx::AttributeProto::INTS);
    integers(body, "open", {-1});
    add_node(body, "Equal", {"target", "open"}, "is_batch");
    add_node(body, "Where", {"is_batch", "batch", "target"}, "shape");
    add_node(body, "Expand", {"weight", "shape"}, "y");
  } else if (type == "Rows") {
    inputs(body, {"weight", "like"});
    for (const char* name : {"result", "learned"}) body.add_attribute(name);
    forward_as(add_node(body, "Constant", {}, "target"), "value_ints", "result",
               ::onnx::AttributeProto::INTS);
    integers(body, "first", {0});
    integers(body, "second", {1});
    add_node(body, "Slice", {"target", "first", "second"}, "rows");
    add_node(body, "Slice", {"weight", "first", "rows", "first"}, "y");
  } else if (type == "CentredBatchNorm") {
    inputs(body, {"x", "bias", "mean", "variance"});
    constant(body, "unit", 1.0F);
    add_node(body, "Sub", {"bias", "bias"}, "zeros");
    add_node(body, "Add", {"zeros", "unit"}, "scale");
    add_node(body, "BatchNormalization", {"x", "scale", "bias", "mean", "variance"}, "y");
  }
}

struct ErgonRule {
  std::string_view type;
  Rule rule;
};

constexpr ErgonRule kRules[] = {
    {"Swish", function<Function::swish>},
    {"Gelu", function<Function::gelu>},
    {"GroupNorm", ergon_group_norm},
    {"Normalization", normalization},
    {"StandardizedConv", standardized_conv},
    {"RmsNorm", rms_norm},
    {"AdaptiveAveragePool", adaptive_pool},
    {"Dense", dense},
    {"Token", parameter},
    {"Rows", parameter},
    {"CentredBatchNorm", centered_batch_norm},
};

}  // namespace

Rule find_ergon_rule(std::string_view type) {
  for (const ErgonRule& rule : kRules) {
    if (rule.type == type) return rule.rule;
  }
  return nullptr;
}

void add_ergon_function(::onnx::ModelProto& model, const std::string& type) {
  FunctionProto* body = model.add_functions();
  body->set_name(type);
  body->set_domain(std::string(kErgonDomain));
  auto* opset = body->add_opset_import();
  opset->set_domain("");
  opset->set_version(kWrittenOpset);
  write_body(*body, type);
}

std::string to_doc_string(const LayerTag& layer) {
  return fmt::format("{}{}{} of type {} named {}", kLayerStart, layer.number,
                     layer.training_only ? " (training only)" : "", layer.type, layer.name);
}

std::optional<LayerTag> parse_layer_tag(std::string_view doc_string) {
  std::string_view text = doc_string;
  if (!text.starts_with(kLayerStart)) return std::nullopt;
  text.remove_prefix(kLayerStart.size());
  const auto word_until = [&](std::string_view mark) -> std::optional<std::string_view> {
    const auto at = text.find(mark);
    if (at == std::string_view::npos) return std::nullopt;
    const auto word = text.substr(0, at);
    text.remove_prefix(at + mark.size());
    return word;
  };
  LayerTag layer;
  auto number = word_until(" of type ");
  if (!number) return std::nullopt;
  constexpr std::string_view kTraining = " (training only)";
  if (number->ends_with(kTraining)) {
    layer.training_only = true;
    number->remove_suffix(kTraining.size());
  }
  const auto value = parse_int64(*number);
  const auto type = word_until(" named ");
  if (!value || *value < 0 || !type) return std::nullopt;
  layer.number = *value;
  layer.type = *type;
  layer.name = text;
  return layer;
}

}  // namespace ergon::graph::onnx
