// ONNX stores one stack of matrices per direction, ATen one list of tensors per direction with another order
// of the gates. LSTM: input, output, forget, cell in ONNX; input, forget, cell, output in ATen. GRU: update,
// reset, hidden in ONNX; reset, update, hidden in ATen.

#include <ATen/ops/cat.h>
#include <cmath>

#include "profile/torch/families.h"
#include "profile/torch/parts.h"
#include "profile/torch/stored_tensor.h"

namespace ergon::profile::torch {
namespace {

std::vector<std::int64_t> gate_order(graph::RecurrentCell cell) {
  if (cell == graph::RecurrentCell::lstm) return {0, 2, 3, 1};
  if (cell == graph::RecurrentCell::gru) return {1, 0, 2};
  return {0};
}

at::Tensor reordered(const at::Tensor& rows, const graph::Recurrent& op) {
  std::vector<at::Tensor> gates;
  for (const std::int64_t gate : gate_order(op.cell))
    gates.push_back(rows.narrow(0, gate * op.hidden, op.hidden));
  return at::cat(gates, 0);
}

Result<at::Tensor> numbers_of(const WeightOperand& learned) {
  if (!learned.content) return at::Tensor();
  return to_tensor(*learned.content);
}

}  // namespace

Result<std::vector<WeightPlan>> recurrent_weights(const NodeView& view, const graph::Recurrent& op) {
  const auto learned = weight_operands_of(view);
  std::vector<at::Tensor> numbers;
  for (const WeightOperand& operand : learned) {
    if (operand.input_index) return unsupported(view, "computed weights are not supported");
    auto tensor = numbers_of(operand);
    if (!tensor) return tensor.error();
    numbers.push_back(std::move(*tensor));
  }
  const std::int64_t rows = graph::gates_of(op.cell) * op.hidden;
  std::vector<WeightPlan> plans;
  const auto add = [&](Sizes sizes, WeightPlan::Fill fill, const at::Tensor& content) {
    WeightPlan plan;
    plan.sizes = std::move(sizes);
    plan.fill = fill;
    plan.deviation = std::sqrt(1.0 / static_cast<double>(op.hidden));
    if (content.defined()) plan.content = to_stored(reordered(content, op));
    plans.push_back(std::move(plan));
  };
  const auto part = [&](std::size_t i, std::int64_t direction) {
    return numbers[i].defined() ? numbers[i].select(0, direction) : at::Tensor();
  };
  for (std::int64_t direction = 0; direction < op.directions; ++direction) {
    add({rows, learned[0].sizes[2]}, WeightPlan::Fill::normal, part(0, direction));
    add({rows, op.hidden}, WeightPlan::Fill::normal, part(1, direction));
    if (!op.bias) continue;
    const at::Tensor both = part(2, direction);
    for (const std::int64_t half : {std::int64_t{0}, rows}) {
      add({rows}, WeightPlan::Fill::zeros, both.defined() ? both.narrow(0, half, rows) : at::Tensor());
    }
  }
  return plans;
}

}  // namespace ergon::profile::torch
