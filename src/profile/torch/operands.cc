#include "profile/torch/operands.h"

#include <ATen/ScalarOps.h>

#include "profile/torch/stored_tensor.h"

namespace ergon::profile::torch {
namespace {

using graph::Combine;

// A number that keeps results finite and of the right type.
at::Tensor harmless(const NodeView& view, Combine combine) {
  const graph::ElementType type = combine == Combine::compare || combine == Combine::logical
                                      ? input_value(view, 0).type
                                      : output_value(view).type;
  at::Scalar number = 1;
  if (type == graph::ElementType::boolean) {
    number = at::Scalar(true);
  } else if (graph::is_floating(type)) {
    switch (combine) {
      case Combine::multiply:
      case Combine::divide:
        number = 0.125;
        break;
      case Combine::power:
        number = 2.0;
        break;
      case Combine::compare:
      case Combine::maximum:
      case Combine::minimum:
      case Combine::where:
        number = 0.0;
        break;
      case Combine::modulo:
        number = 1.0;
        break;
      default:
        number = 1e-6;
        break;
    }
  }
  return at::native::wrapped_scalar_tensor(number);
}

Result<std::vector<Operand>> from_content(const NodeView& view, const graph::Arithmetic& op) {
  std::optional<std::size_t> weight;
  TensorSlot weight_slot;
  if (op.weight) {
    const auto learned = weight_operands_of(view);
    weight = learned[0].operand;
    weight_slot = slots_of(view, learned)[0];
  }
  std::vector<Operand> operands;
  for (std::size_t i = 0; i < view.content->operands.size(); ++i) {
    const auto& operand = view.content->operands[i];
    if (weight == i) {
      operands.emplace_back(weight_slot);
    } else if (operand.input_index) {
      operands.emplace_back(TensorSlot::value(input_id(view, *operand.input_index)));
    } else if (operand.constant) {
      auto tensor = to_tensor(*operand.constant);
      if (!tensor) return tensor.error();
      if (tensor->numel() == 1) {
        *tensor = at::native::wrapped_scalar_tensor(tensor->item());
      } else if (tensor->is_floating_point()) {
        *tensor = tensor->to(view.precision);
      }
      operands.emplace_back(std::move(*tensor));
    } else {
      return unsupported(view, fmt::format("operand {} is not in the file", i + 1));
    }
  }
  return operands;
}

}  // namespace

Result<std::vector<Operand>> operands_of(const NodeView& view, const graph::Arithmetic& op) {
  if (view.content != nullptr && !view.content->operands.empty()) return from_content(view, op);
  std::vector<Operand> operands;
  for (std::size_t i = 0; i < view.node.inputs.size(); ++i) {
    operands.emplace_back(TensorSlot::value(input_id(view, i)));
  }
  const bool picks = op.combine == Combine::where;
  const std::size_t expected = picks ? 3 : 2;
  if (op.weight) {
    const TensorSlot slot = slots_of(view, weight_operands_of(view))[0];
    // The condition of a Where comes first; among the inputs it is the boolean one.
    const bool weight_picks = picks && input_value(view, 0).type != graph::ElementType::boolean;
    operands.insert(weight_picks ? operands.begin() : operands.end(), Operand(slot));
  }
  while (operands.size() < expected && (op.scalar || operands.size() < 2)) {
    if (!op.scalar) break;
    operands.emplace_back(harmless(view, op.combine));
  }
  return operands;
}

}  // namespace ergon::profile::torch
