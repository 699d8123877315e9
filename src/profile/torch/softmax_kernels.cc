#include <ATen/ops/argmax.h>
#include <ATen/ops/log_softmax.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/zeros_like.h>

#include "profile/torch/families.h"
#include "profile/torch/parts.h"

namespace ergon::profile::torch {
namespace {

using Method = at::Tensor (*)(const at::Tensor&, std::int64_t);

// Hardmax: 1 at the first maximum, 0 elsewhere.
at::Tensor hardmax(const at::Tensor& x, std::int64_t axis) {
  return at::zeros_like(x).scatter(axis, at::argmax(x, axis, /*keepdim=*/true), 1);
}

Method method_of(std::string_view function) {
  if (function == "LogSoftmax")
    return [](const at::Tensor& x, std::int64_t axis) { return at::log_softmax(x, axis); };
  if (function == "Hardmax") return hardmax;
  return [](const at::Tensor& x, std::int64_t axis) { return at::softmax(x, axis); };
}

}  // namespace

Result<Kernel> kernel_for(const NodeView& view, const graph::Softmax& op) {
  const Method method = method_of(function_of(view));
  const std::int64_t rank = rank_of(view);
  const std::int64_t axis = op.axis < 0 ? op.axis + rank : op.axis;
  // Before opset 13, the axes from this one on were flattened.
  const bool flattens = view.content != nullptr && integer_of(view, "opset", 13) < 13;
  if (!flattens || axis == rank - 1) {
    return unary_kernel(view, [method, axis](const at::Tensor& x) { return method(x, axis); });
  }
  const Sizes sizes = input_sizes(view);
  Sizes matrix{1, -1};
  for (std::int64_t i = 0; i < axis; ++i) matrix[0] *= sizes[static_cast<std::size_t>(i)];
  return unary_kernel(view, [=](const at::Tensor& x) { return method(x.reshape(matrix), 1).reshape(sizes); });
}

}  // namespace ergon::profile::torch
