#include <ATen/ops/einsum.h>
#include <ATen/ops/embedding.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/matmul.h>

#include "profile/torch/families.h"
#include "profile/torch/parts.h"
#include "profile/torch/stored.h"

namespace ergon::profile::torch {

Result<Kernel> kernel_for(const NodeView& view, const graph::Dense& op) {
  const std::string_view function = function_of(view);
  if (function == "MatMulInteger" || function == "QLinearMatMul") {
    return unsupported(view, "quantised products");
  }
  const auto learned = learned_of(view);
  const auto places = places_of(view, learned);
  const std::size_t in = input_id(view, 0);
  const std::size_t out = output_id(view);
  const Place kernel = places[0];
  const Place bias = places.size() > 1 ? places[1] : Place();
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
    return unsupported(view, "quantised products");
  }
  Place left = Place::value(input_id(view, 0));
  Place right;
  if (op.weight) {
    right = places_of(view, learned_of(view))[0];
    if (op.weight_on_left) std::swap(left, right);
  } else {
    right = Place::value(input_id(view, 1));
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
    return unsupported(view, "a bias that is computed while the network runs");
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
    if (bias.host().defined()) result = result.add(bias.beside(result));
    r.values[out] = std::move(result);
  });
}

Result<Kernel> kernel_for(const NodeView& view, const graph::Embedding&) {
  const Place table = places_of(view, learned_of(view))[0];
  return Kernel([=, in = input_id(view, 0), out = output_id(view)](Registers& r) {
    r.values[out] = at::embedding(table.in(r), r.values[in]);
  });
}

}  // namespace ergon::profile::torch
