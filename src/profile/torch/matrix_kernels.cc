#include <ATen/ops/einsum.h>
#include <ATen/ops/embedding.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/matmul.h>

#include "profile/torch/families.h"
#include "profile/torch/parts.h"
#include "profile/torch/stored_tensor.h"

namespace ergon::profile::torch {

Result<Kernel> kernel_for(const NodeView& view, const graph::Dense& op) {
  const std::string_view function = function_of(view);
  if (function == "MatMulInteger" || function == "QLinearMatMul") {
    return unsupported(view, "quantized products are not supported");
  }
  const auto learned = weight_operands_of(view);
  const auto slots = slots_of(view, learned);
  const std::size_t in = input_id(view, 0);
  const std::size_t out = output_id(view);
  const TensorSlot kernel = slots[0];
  const TensorSlot bias = slots.size() > 1 ? slots[1] : TensorSlot();
  if (learned.size() > 1 && learned[1].content) {
    std::int64_t numbers = 1;
    for (const std::int64_t size : learned[1].content->sizes) numbers *= size;
    if (numbers != 1 && numbers != op.out_features) {
      return Kernel(
          [=](Registers& r) { r.values[out] = at::linear(r.values[in], kernel.in(r)).add(bias.in(r)); });
    }
  }
  return Kernel([=](Registers& r) { r.values[out] = at::linear(r.values[in], kernel.in(r), bias.in(r)); });
}

Result<Kernel> kernel_for(const NodeView& view, const graph::MatrixProduct& op) {
  const std::string_view function = function_of(view);
  if (function == "MatMulInteger" || function == "QLinearMatMul") {
    return unsupported(view, "quantized products are not supported");
  }
  TensorSlot left = TensorSlot::value(input_id(view, 0));
  TensorSlot right;
  if (op.weight) {
    right = slots_of(view, weight_operands_of(view))[0];
    if (op.weight_on_left) std::swap(left, right);
  } else {
    right = TensorSlot::value(input_id(view, 1));
  }
  return Kernel(
      [=, out = output_id(view)](Registers& r) { r.values[out] = at::matmul(left.in(r), right.in(r)); });
}

Result<Kernel> kernel_for(const NodeView& view, const graph::Einsum& op) {
  std::vector<std::size_t> inputs(view.node.inputs.begin(), view.node.inputs.end());
  const auto sum = [inputs, equation = op.equation](const Registers& r) {
    std::vector<at::Tensor> operands;
    operands.reserve(inputs.size());
    for (const std::size_t id : inputs) operands.push_back(r.values[id]);
    return at::einsum(equation, operands);
  };
  const std::size_t out = output_id(view);
  if (function_of(view) != "Gemm") return Kernel([=](Registers& r) { r.values[out] = sum(r); });

  const double alpha = number_of(view, "alpha", 1);
  if (has_operand(view, 2) && constant_of(view, 2) == nullptr) {
    return unsupported(view, "a computed bias is not supported");
  }
  Constant bias;
  if (const auto* stored = constant_of(view, 2)) {
    const auto tensor = to_tensor(*stored);
    if (!tensor) return tensor.error();
    bias = Constant(tensor->mul(number_of(view, "beta", 1)));
  }
  return Kernel([=](Registers& r) mutable {
    at::Tensor result = sum(r);
    if (alpha != 1) result = result.mul(alpha);
    if (bias.host().defined()) result = result.add(bias.matching(result));
    r.values[out] = std::move(result);
  });
}

Result<Kernel> kernel_for(const NodeView& view, const graph::Embedding&) {
  const TensorSlot table = slots_of(view, weight_operands_of(view))[0];
  return Kernel([=, in = input_id(view, 0), out = output_id(view)](Registers& r) {
    r.values[out] = at::embedding(table.in(r), r.values[in]);
  });
}

}  // namespace ergon::profile::torch
