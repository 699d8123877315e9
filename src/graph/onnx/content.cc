#include "graph/onnx/content.h"

#include <algorithm>

#include "base/text.h"

namespace ergon::graph::onnx {
namespace {

using ::onnx::AttributeProto;
using ::onnx::NodeProto;

bool is_standard(const NodeProto& node) { return node.domain().empty() || node.domain() == "ai.onnx"; }

// Inputs whose contents the operation already stores, with a symbolic batch.
bool operation_holds(const NodeProto& node, std::size_t input) {
  struct InputRange {
    std::string_view type;
    std::size_t first, last;
  };
  static constexpr InputRange kInputRanges[] = {
      {"Reshape", 1, 1}, {"Squeeze", 1, 1}, {"Unsqueeze", 1, 1}, {"Expand", 1, 1}, {"Tile", 1, 1},
      {"Slice", 1, 4},   {"Split", 1, 1},   {"Pad", 1, 1},       {"Pad", 3, 3},    {"Resize", 3, 3},
      {"TopK", 1, 1},    {"OneHot", 1, 1},  {"CastLike", 1, 1},  {"Dropout", 1, 2}};
  if (!is_standard(node)) return false;
  if (node.op_type().starts_with("Reduce") && input == 1) return true;
  return std::any_of(std::begin(kInputRanges), std::end(kInputRanges), [&](const InputRange& range) {
    return node.op_type() == range.type && input >= range.first && input <= range.last;
  });
}

AttributeProto::AttributeType type_of(const AttributeProto& attribute) {
  if (attribute.type() != AttributeProto::UNDEFINED) return attribute.type();
  // Old exporters omit the type.
  if (attribute.has_f()) return AttributeProto::FLOAT;
  if (attribute.has_i()) return AttributeProto::INT;
  if (attribute.has_s()) return AttributeProto::STRING;
  if (attribute.ints_size() > 0) return AttributeProto::INTS;
  if (attribute.strings_size() > 0) return AttributeProto::STRINGS;
  return AttributeProto::UNDEFINED;
}

void take_attribute(NodeContent& content, const AttributeProto& attribute) {
  const std::string& name = attribute.name();
  switch (type_of(attribute)) {
    case AttributeProto::FLOAT:
      content.numbers[name] = static_cast<double>(attribute.f());
      break;
    case AttributeProto::INT:
      content.numbers[name] = static_cast<double>(attribute.i());
      break;
    case AttributeProto::INTS:
      content.lists[name].assign(attribute.ints().begin(), attribute.ints().end());
      break;
    case AttributeProto::STRING:
      content.words[name] = attribute.s();
      break;
    case AttributeProto::STRINGS: {
      std::string& words = content.words[name];
      for (const std::string& word : attribute.strings()) words += (words.empty() ? "" : ",") + word;
      break;
    }
    default:
      break;
  }
}

Result<NodeContent::Operand> operand_of(const NodeSource& source, std::size_t i, const ImportRecord& record,
                                        ConstantValues& constants) {
  const std::string& name = source.node->input(static_cast<int>(i));
  if (name.empty() || operation_holds(*source.node, i)) return NodeContent::Operand{};
  if (record.unsized_outputs.contains(name)) {
    return fail(Errc::unsupported, "the shape of \"{}\" is unknown", printable(name));
  }
  if (source.input_index[i]) return NodeContent::Operand{source.input_index[i], nullptr};
  const auto known = record.values.find(name);
  if (known != record.values.end() && !known->second.constant()) {
    return fail(Errc::unsupported, "input \"{}\" is computed at run time", printable(name));
  }
  auto constant = constants.find(name);
  if (!constant) return constant.error();
  return NodeContent::Operand{std::nullopt, std::move(*constant)};
}

Result<NodeContent> content_of_node(const OnnxModel& model, const NodeSource& source,
                                    const ImportRecord& record, ConstantValues& constants) {
  NodeContent content;
  if (!source.constant.empty()) {
    auto constant = constants.find(source.constant);
    if (!constant) return constant.error();
    content.function = "Constant";
    content.operands.push_back({std::nullopt, std::move(*constant)});
    return content;
  }
  if (source.node == nullptr) return content;
  const NodeProto& node = *source.node;
  content.function = is_standard(node) ? node.op_type() : node.domain() + "." + node.op_type();
  content.numbers["opset"] = static_cast<double>(model.opset);
  for (const auto& attribute : node.attribute()) take_attribute(content, attribute);
  for (std::size_t i = 0; i < source.input_index.size(); ++i) {
    auto operand = operand_of(source, i, record, constants);
    if (!operand) return operand.error().in(describe(node));
    content.operands.push_back(std::move(*operand));
  }
  return content;
}

}  // namespace

Result<Content> content_of(const OnnxModel& model, const ImportRecord& record, ConstantValues& constants) {
  for (const auto& output : model.proto.graph().output()) {
    if (record.unsized_outputs.contains(output.name())) {
      return fail(Errc::unsupported, "the shape of \"{}\" is unknown", printable(output.name()));
    }
  }
  Content content;
  content.nodes.reserve(record.node_sources.size());
  for (const NodeSource& source : record.node_sources) {
    auto node = content_of_node(model, source, record, constants);
    if (!node) return node.error();
    content.nodes.push_back(std::move(*node));
  }
  return content;
}

}  // namespace ergon::graph::onnx
