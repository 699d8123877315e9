#include "profile/torch/parts.h"

#include <algorithm>

#include "graph/overloaded.h"
#include "profile/torch/stored_tensor.h"

namespace ergon::profile::torch {
namespace {

using graph::Operation;

// Indices of an operation's weights among the file's operands, in the order of graph::weights_of.
std::vector<std::size_t> operands_of(const NodeView& view, std::size_t count) {
  std::vector<std::size_t> operands;
  const auto from = [&](std::size_t first) {
    for (std::size_t i = 0; i < count; ++i) operands.push_back(first + i);
    return operands;
  };
  return std::visit(graph::Overloaded{
                        [&](const graph::MatrixProduct& op) { return from(op.weight_on_left ? 0 : 1); },
                        [&](const graph::Parameter&) { return from(0); },
                        [&](const graph::Embedding&) { return from(0); },
                        [&](const auto&) { return from(1); },
                    },
                    view.node.operation);
}

// The weight of an elementwise operation is its first constant that is not a scalar.
std::optional<std::size_t> arithmetic_weight(const NodeView& view) {
  std::size_t rank = 0;
  for (std::size_t i = 0; i < view.node.inputs.size(); ++i) {
    rank = std::max(rank, input_value(view, i).shape.rank());
  }
  const auto& operands = view.content->operands;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (operands[i].input_index || !operands[i].constant) continue;
    const Sizes& sizes = operands[i].constant->sizes;
    const bool scalar = std::ranges::all_of(sizes, [](std::int64_t size) { return size == 1; });
    if (!scalar || sizes.size() > rank) return i;
  }
  return std::nullopt;
}

// Number of inputs besides computed weights.
std::size_t own_inputs(const Operation& operation) {
  return std::visit(graph::Overloaded{
                        [](const graph::Convolution&) { return std::size_t{1}; },
                        [](const graph::TransposedConvolution&) { return std::size_t{1}; },
                        [](const graph::BatchNorm&) { return std::size_t{1}; },
                        [](const graph::GroupNorm&) { return std::size_t{1}; },
                        [](const graph::LayerNorm&) { return std::size_t{1}; },
                        [](const graph::Normalization&) { return std::size_t{1}; },
                        [](const graph::Recurrent&) { return std::size_t{1}; },
                        [](const auto&) { return SIZE_MAX; },
                    },
                    operation);
}

void find_in_content(const NodeView& view, std::vector<WeightOperand>& learned) {
  const auto& all = view.content->operands;
  const auto& operation = view.node.operation;
  const bool arithmetic = std::holds_alternative<graph::Arithmetic>(operation);
  const auto operands = operands_of(view, learned.size());
  for (std::size_t i = 0; i < learned.size(); ++i) {
    learned[i].operand = arithmetic ? arithmetic_weight(view) : operands[i];
    if (!learned[i].operand || *learned[i].operand >= all.size()) continue;
    const auto& operand = all[*learned[i].operand];
    learned[i].input_index = operand.input_index;
    if (!operand.input_index) learned[i].content = operand.constant;
  }
}

bool shares_memory(const Operation& operation) {
  return std::visit(graph::Overloaded{
                        [](const graph::Input&) { return true; },
                        [](const graph::Parameter&) { return true; },
                        [](const graph::Identity&) { return true; },
                        [](const graph::Dropout&) { return true; },
                        [](const graph::Reshape&) { return true; },
                        [](const graph::Transpose&) { return true; },
                        [](const graph::Split&) { return true; },
                        [](const graph::Slice&) { return true; },
                        [](const graph::Expand&) { return true; },
                        [](const graph::Gather&) { return true; },
                        [](const graph::Pad&) { return true; },
                        [](const graph::Resize&) { return true; },
                        [](const graph::Reduce&) { return true; },
                        [](const graph::Recurrent&) { return true; },
                        [](const graph::AdaptivePool&) { return true; },
                        [](const graph::Einsum&) { return true; },
                        [](const graph::Elementwise& op) { return op.function == graph::Function::cast; },
                        [](const auto&) { return false; },
                    },
                    operation);
}

// The gradient does not need the output.
bool forgets_its_output(const Operation& operation) {
  return std::visit(graph::Overloaded{
                        [](const graph::Convolution&) { return true; },
                        [](const graph::TransposedConvolution&) { return true; },
                        [](const graph::Dense&) { return true; },
                        [](const graph::BatchNorm&) { return true; },
                        [](const graph::GroupNorm&) { return true; },
                        [](const graph::LayerNorm&) { return true; },
                        [](const graph::Concat&) { return true; },
                        [](const graph::Arithmetic& op) {
                          return op.combine == graph::Combine::add || op.combine == graph::Combine::subtract;
                        },
                        [](const auto&) { return false; },
                    },
                    operation);
}

}  // namespace

std::vector<WeightOperand> weight_operands_of(const NodeView& view) {
  const auto shapes = view.network.input_shapes(view.node);
  std::vector<WeightOperand> learned;
  for (const auto& weight : graph::weights_of(view.node.operation, shapes, graph::ElementType::float32)) {
    learned.push_back({weight.role, weight.shape.at(1), std::nullopt, nullptr, std::nullopt});
  }
  // The network marks parameters that are stored but not trained.
  if (std::holds_alternative<graph::Parameter>(view.node.operation) && view.node.weights.size() == 1) {
    learned[0].role = view.node.weights[0].role;
  }
  if (view.content != nullptr && !view.content->operands.empty()) {
    find_in_content(view, learned);
    return learned;
  }
  std::size_t next = own_inputs(view.node.operation);
  for (WeightOperand& operand : learned) {
    if (next >= view.node.inputs.size()) break;
    if (input_sizes(view, next) == operand.sizes) operand.input_index = next++;
  }
  return learned;
}

std::vector<TensorSlot> slots_of(const NodeView& view, const std::vector<WeightOperand>& learned) {
  std::vector<TensorSlot> slots;
  std::size_t next = view.first_weight;
  for (const WeightOperand& operand : learned) {
    slots.push_back(operand.input_index ? TensorSlot::value(input_id(view, *operand.input_index))
                                        : TensorSlot::weight(next++));
  }
  return slots;
}

void Constant::move_to(const at::Tensor& reference) {
  moved_ = host_.to(reference.device(), follows(reference) ? reference.scalar_type() : host_.scalar_type());
}

std::string_view function_of(const NodeView& view) {
  return view.content == nullptr ? std::string_view() : std::string_view(view.content->function);
}

double number_of(const NodeView& view, std::string_view name, double otherwise) {
  if (view.content == nullptr) return otherwise;
  const auto found = view.content->numbers.find(name);
  return found == view.content->numbers.end() ? otherwise : found->second;
}

std::int64_t integer_of(const NodeView& view, std::string_view name, std::int64_t otherwise) {
  return static_cast<std::int64_t>(number_of(view, name, static_cast<double>(otherwise)));
}

std::string_view word_of(const NodeView& view, std::string_view name, std::string_view otherwise) {
  if (view.content == nullptr) return otherwise;
  const auto found = view.content->words.find(name);
  return found == view.content->words.end() ? otherwise : std::string_view(found->second);
}

const Sizes* list_of(const NodeView& view, std::string_view name) {
  if (view.content == nullptr) return nullptr;
  const auto found = view.content->lists.find(name);
  return found == view.content->lists.end() ? nullptr : &found->second;
}

bool has_operand(const NodeView& view, std::size_t operand) {
  if (view.content == nullptr || operand >= view.content->operands.size()) return false;
  const auto& found = view.content->operands[operand];
  return found.input_index.has_value() || found.constant != nullptr;
}

const graph::StoredTensor* constant_of(const NodeView& view, std::size_t operand) {
  if (!has_operand(view, operand) || view.content->operands[operand].input_index) return nullptr;
  return view.content->operands[operand].constant.get();
}

Error unsupported(const NodeView& view, std::string_view why) {
  const auto shapes = view.network.input_shapes(view.node);
  const std::string kind = graph::kind_of(view.node.operation, shapes);
  const std::string_view name = function_of(view);
  return fail(Errc::unsupported, "{}{}{}: {}", kind, name.empty() ? "" : " ", name, why);
}

bool may_overwrite(const NodeView& view) {
  if (!view.in_place || view.node.inputs.empty()) return false;
  const graph::ValueId id = view.node.inputs[0];
  const graph::Value& value = view.network.values[id];
  const Operation& producer = view.network.nodes[value.producer].operation;
  const bool given = view.network_inputs_too && std::holds_alternative<graph::Input>(producer);
  if (!graph::is_floating(value.type) || (shares_memory(producer) && !given)) return false;
  if (trains(view) && !forgets_its_output(producer)) return false;
  for (const graph::Node& node : view.network.nodes) {
    const auto reads = std::ranges::count(node.inputs, id);
    if (reads == 0) continue;
    const bool is_this = &node == &view.node;
    if (is_this ? reads > 1 : trains(view) || shares_memory(node.operation)) return false;
  }
  return std::ranges::find(view.network.outputs, id) == view.network.outputs.end();
}

}  // namespace ergon::profile::torch
