// The weights of a node in ATen's layout: initialization if there is no file, conversion of the file's values
// otherwise.

#include <cmath>

#include "graph/overloaded.h"
#include "profile/torch/families.h"
#include "profile/torch/parts.h"
#include "profile/torch/stored_tensor.h"

namespace ergon::profile::torch {
namespace {

using graph::WeightRole;

std::int64_t product(const Sizes& sizes, std::size_t from = 0) {
  std::int64_t result = 1;
  for (std::size_t i = from; i < sizes.size(); ++i) result *= sizes[i];
  return result;
}

// He initialization preserves the variance through a ReLU; a linear layer needs half of that variance.
double deviation_of(const graph::Operation& operation, const Sizes& sizes) {
  const auto root = [](double numerator, std::int64_t fan_in) {
    return std::sqrt(numerator / static_cast<double>(std::max<std::int64_t>(fan_in, 1)));
  };
  return std::visit(graph::Overloaded{
                        [&](const graph::Convolution&) { return root(2, product(sizes, 1)); },
                        [&](const graph::TransposedConvolution& op) {
                          return root(2, sizes[0] / op.groups * product(sizes, 2));
                        },
                        [&](const graph::Dense&) { return root(1, sizes[0]); },
                        [&](const graph::MatrixProduct& op) {
                          const std::size_t rank = sizes.size();
                          return root(1, op.weight_on_left || rank == 1 ? sizes[rank - 1] : sizes[rank - 2]);
                        },
                        [](const graph::Embedding&) { return 0.02; },
                        [](const graph::Parameter&) { return 0.02; },
                        [](const graph::Arithmetic&) { return 0.02; },
                        [](const auto&) { return 1.0; },
                    },
                    operation);
}

WeightPlan::Fill fill_of(const graph::Operation& operation, const std::vector<WeightOperand>& learned,
                         std::size_t i) {
  using Fill = WeightPlan::Fill;
  switch (learned[i].role) {
    case WeightRole::bias:
      return Fill::zeros;
    case WeightRole::scale:
      return Fill::ones;
    case WeightRole::statistic: {
      // Mean, variance, then count if present.
      if (std::holds_alternative<graph::Parameter>(operation)) return Fill::normal;
      const bool first = i == 0 || learned[i - 1].role != WeightRole::statistic;
      return first ? Fill::zeros : Fill::ones;
    }
    default:
      break;
  }
  const auto* arithmetic = std::get_if<graph::Arithmetic>(&operation);
  if (arithmetic == nullptr) return Fill::normal;
  // Divisors and exponents must keep values finite.
  return arithmetic->combine == graph::Combine::add || arithmetic->combine == graph::Combine::subtract
             ? Fill::normal
             : Fill::ones;
}

// Indices and masks are constants in ATen, although the network stores them as weights.
std::optional<graph::ElementType> kept_type(const NodeView& view, const WeightOperand& operand) {
  graph::ElementType type = graph::ElementType::float32;
  if (operand.content) {
    type = operand.content->type;
  } else if (std::holds_alternative<graph::Parameter>(view.node.operation)) {
    type = output_value(view).type;
  } else if (const auto* op = std::get_if<graph::Arithmetic>(&view.node.operation)) {
    type = input_value(view, 0).type;
    const bool picks = op->combine == graph::Combine::where && type != graph::ElementType::boolean;
    if (picks && view.node.inputs.size() + (op->scalar ? 1 : 0) == 2) type = graph::ElementType::boolean;
    if (op->combine == graph::Combine::where && type == graph::ElementType::boolean && !picks)
      type = output_value(view).type;
  }
  if (graph::is_floating(type)) return std::nullopt;
  return type;
}

// The file's values in ATen's sizes: a scale per group expanded to one per channel, dimensions of size 1
// added or removed, a scalar expanded.
Result<at::Tensor> fitted(const NodeView& view, const at::Tensor& tensor, const Sizes& sizes) {
  const std::int64_t expected = product(sizes);
  if (tensor.numel() == expected) return tensor.reshape(sizes);
  if (tensor.numel() == 1) return tensor.reshape(Sizes(sizes.size(), 1)).expand(sizes).contiguous();
  const bool grouped = std::holds_alternative<graph::GroupNorm>(view.node.operation);
  if (grouped && tensor.numel() > 0 && expected % tensor.numel() == 0) {
    return tensor.reshape({-1, 1}).expand({tensor.numel(), expected / tensor.numel()}).reshape(sizes);
  }
  if (tensor.dim() <= static_cast<std::int64_t>(sizes.size())) {
    const auto rank = static_cast<std::size_t>(tensor.dim());
    bool stretches = true;
    for (std::size_t i = 0; i < rank; ++i) {
      const std::int64_t have = tensor.size(static_cast<std::int64_t>(i));
      stretches = stretches && (have == 1 || have == sizes[sizes.size() - rank + i]);
    }
    if (stretches) return tensor.expand(sizes).contiguous();
  }
  return unsupported(view, "the values do not have the shape of the weight");
}

Result<> take_content(const NodeView& view, const WeightOperand& operand, WeightPlan& plan) {
  if (!operand.content) return {};
  const auto tensor = to_tensor(*operand.content);
  if (!tensor) return tensor.error();
  at::Tensor numbers = *tensor;
  const auto* dense = std::get_if<graph::Dense>(&view.node.operation);
  if (dense != nullptr) {
    const bool gemm = function_of(view) == "Gemm";
    const bool kernel = operand.role == WeightRole::kernel;
    const double factor = gemm ? number_of(view, kernel ? "alpha" : "beta", 1) : 1;
    if (factor != 1) numbers = numbers.mul(factor);
    const bool transposed = gemm && integer_of(view, "transB", 0) != 0;
    if (kernel && !transposed) numbers = numbers.t();
    if (kernel && factor == 1 && transposed) {
      plan.content = operand.content;
      return {};
    }
    // A bias per row, not one for all rows.
    if (!kernel && numbers.numel() != 1 && numbers.numel() != dense->out_features) {
      plan.sizes.assign(numbers.sizes().begin(), numbers.sizes().end());
    }
  } else if (operand.content->sizes == plan.sizes) {
    plan.content = operand.content;
    return {};
  }
  const auto fits = fitted(view, numbers, plan.sizes);
  if (!fits) return fits.error();
  if (plan.type) return unsupported(view, "the integers do not have the shape of the weight");
  plan.content = to_stored(*fits);
  return {};
}

}  // namespace

Result<std::vector<WeightPlan>> weights_for(const NodeView& view) {
  const auto& operation = view.node.operation;
  if (const auto* op = std::get_if<graph::Recurrent>(&operation)) return recurrent_weights(view, *op);
  const auto learned = weight_operands_of(view);
  std::vector<WeightPlan> plans;
  for (std::size_t i = 0; i < learned.size(); ++i) {
    if (learned[i].input_index) continue;
    WeightPlan plan;
    plan.sizes = learned[i].sizes;
    plan.fill = fill_of(operation, learned, i);
    plan.deviation = deviation_of(operation, learned[i].sizes);
    plan.type = kept_type(view, learned[i]);
    if (plan.type && plan.fill == WeightPlan::Fill::normal) plan.fill = WeightPlan::Fill::zeros;
    plan.trainable = learned[i].role != WeightRole::statistic && !plan.type;
    const bool convolves = std::holds_alternative<graph::Convolution>(operation) ||
                           std::holds_alternative<graph::TransposedConvolution>(operation);
    plan.is_kernel = convolves && learned[i].role == WeightRole::kernel && plan.sizes.size() == 4;
    if (std::holds_alternative<graph::Dense>(operation) && learned[i].role == WeightRole::kernel) {
      std::swap(plan.sizes[0], plan.sizes[1]);
    }
    if (const auto taken = take_content(view, learned[i], plan); !taken) return taken.error();
    plans.push_back(std::move(plan));
  }
  return plans;
}

}  // namespace ergon::profile::torch
