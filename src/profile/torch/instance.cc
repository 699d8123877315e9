#include "profile/torch/instance.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros.h>

#include "profile/torch/stored_tensor.h"

namespace ergon::profile::torch {
namespace {

// Channels-last if the condition says so and the tensor is an image.
at::Tensor laid_out(const at::Tensor& tensor, bool image, Layout layout) {
  if (!image || layout != Layout::nhwc || tensor.dim() != 4) return tensor;
  return tensor.contiguous(at::MemoryFormat::ChannelsLast);
}

at::ScalarType type_of(const WeightPlan& plan, const TensorConfig& config) {
  if (plan.type) return scalar_type_of(*plan.type).value_or(at::kFloat);
  return plan.keep_float32 ? at::kFloat : scalar_type(config.condition.precision);
}

at::Tensor filled(const WeightPlan& plan, const at::TensorOptions& options) {
  switch (plan.fill) {
    case WeightPlan::Fill::zeros:
      return at::zeros(plan.sizes, options);
    case WeightPlan::Fill::ones:
      return at::ones(plan.sizes, options);
    case WeightPlan::Fill::normal:
      break;
  }
  if (!at::isFloatingType(options.dtype().toScalarType())) return at::zeros(plan.sizes, options);
  return at::randn(plan.sizes, options).mul_(plan.deviation);
}

}  // namespace

at::ScalarType scalar_type(device::Precision precision) {
  switch (precision) {
    case device::Precision::bf16:
      return at::kBFloat16;
    case device::Precision::fp16:
      return at::kHalf;
    default:
      return at::kFloat;
  }
}

std::vector<at::Tensor> make_weights(const Program& program, const TensorConfig& config) {
  std::vector<at::Tensor> weights;
  const bool trains = config.condition.mode == graph::Mode::training;
  for (const WeightPlan& plan : program.weights()) {
    const auto options = at::TensorOptions().dtype(type_of(plan, config)).device(config.device);
    at::Tensor weight;
    if (plan.content) {
      // Sizes and type were checked at compilation.
      weight = to_tensor(*plan.content).value().to(options.device(), options.dtype().toScalarType());
    } else {
      weight = filled(plan, options);
    }
    weight = laid_out(weight, plan.is_kernel, config.condition.layout);
    if (trains && plan.trainable && weight.is_floating_point()) weight.set_requires_grad(true);
    weights.push_back(std::move(weight));
  }
  return weights;
}

double bytes_of_weights(const Program& program, const TensorConfig& config) {
  double bytes = 0;
  for (const WeightPlan& plan : program.weights()) {
    double elements = 1;
    for (const std::int64_t size : plan.sizes) elements *= static_cast<double>(size);
    bytes += elements * static_cast<double>(c10::elementSize(type_of(plan, config)));
  }
  return bytes;
}

std::vector<at::Tensor> make_inputs(const Program& program, const TensorConfig& config) {
  std::vector<at::Tensor> inputs;
  for (const InputPlan& plan : program.inputs()) {
    const auto type = scalar_type_of(plan.type).value_or(at::kFloat);
    if (at::isFloatingType(type)) {
      const auto options =
          at::TensorOptions().dtype(scalar_type(config.condition.precision)).device(config.device);
      inputs.push_back(laid_out(at::randn(plan.sizes, options), plan.image, config.condition.layout));
    } else {
      const auto options = at::TensorOptions().dtype(at::kLong).device(config.device);
      inputs.push_back(at::randint(plan.below, plan.sizes, options).to(type));
    }
  }
  return inputs;
}

}  // namespace ergon::profile::torch
