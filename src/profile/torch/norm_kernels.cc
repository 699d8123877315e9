#include <ATen/ops/avg_pool2d.h>
#include <ATen/ops/avg_pool3d.h>
#include <ATen/ops/batch_norm.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/group_norm.h>
#include <ATen/ops/instance_norm.h>
#include <ATen/ops/layer_norm.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/var_mean.h>

#include "profile/torch/families.h"
#include "profile/torch/parts.h"

namespace ergon::profile::torch {
namespace {

constexpr double kEpsilon = 1e-5;
constexpr double kMomentum = 0.1;

}  // namespace

Result<Kernel> kernel_for(const NodeView& view, const graph::BatchNorm& op) {
  const auto slots = slots_of(view, weight_operands_of(view));
  std::size_t next = 0;
  const TensorSlot scale = op.scale ? slots[next++] : TensorSlot();
  const TensorSlot bias = op.center ? slots[next++] : TensorSlot();
  const TensorSlot mean = slots[next];
  const TensorSlot variance = slots[next + 1];
  const double epsilon = number_of(view, "epsilon", kEpsilon);
  const bool training = trains(view);
  return Kernel([=, in = input_id(view, 0), out = output_id(view)](Registers& r) {
    r.values[out] = at::batch_norm(r.values[in], scale.in(r), bias.in(r), mean.in(r), variance.in(r),
                                   training, kMomentum, epsilon, /*cudnn_enabled=*/true);
  });
}

Result<Kernel> kernel_for(const NodeView& view, const graph::GroupNorm& op) {
  const auto slots = slots_of(view, weight_operands_of(view));
  const TensorSlot scale = slots[0];
  const TensorSlot bias = slots[1];
  const double epsilon = number_of(view, "epsilon", kEpsilon);
  const std::size_t in = input_id(view, 0);
  const std::size_t out = output_id(view);
  if (op.groups == 0) {
    return Kernel([=](Registers& r) {
      r.values[out] = at::instance_norm(r.values[in], scale.in(r), bias.in(r), {}, {},
                                        /*use_input_stats=*/true, kMomentum, epsilon, /*cudnn_enabled=*/true);
    });
  }
  return Kernel([=, groups = op.groups](Registers& r) {
    r.values[out] = at::group_norm(r.values[in], groups, scale.in(r), bias.in(r), epsilon,
                                   /*cudnn_enabled=*/true);
  });
}

namespace {

// (x - mean) / (deviation + 1e-9) over any axes.
Result<Kernel> mean_variance_kernel(const NodeView& view) {
  Sizes axes{0, 2, 3};
  if (const Sizes* given = list_of(view, "axes")) axes = *given;
  return unary_kernel(view, [axes](const at::Tensor& x) {
    const auto [variance, mean] = at::var_mean(x, axes, /*unbiased=*/false, /*keepdim=*/true);
    return x.sub(mean).div(variance.sqrt().add(1e-9));
  });
}

Result<Kernel> unit_length_kernel(const NodeView& view) {
  const Sizes axes{integer_of(view, "axis", -1)};
  const auto order = static_cast<double>(integer_of(view, "p", 2));
  return unary_kernel(view, [axes, order](const at::Tensor& x) {
    return x.div(at::linalg_vector_norm(x, order, axes, /*keepdim=*/true));
  });
}

// RMS norm: no mean is subtracted; computed in single precision, as in Llama.
Kernel root_mean_square_kernel(const NodeView& view, Sizes axes, TensorSlot scale, double epsilon) {
  return [=, axes = std::move(axes), in = input_id(view, 0), out = output_id(view)](Registers& r) {
    const at::Tensor& x = r.values[in];
    const at::Tensor wide = x.to(at::kFloat);
    const at::Tensor mean = wide.pow(2).mean(axes, /*keepdim=*/true);
    at::Tensor normal = wide.mul(mean.add(epsilon).rsqrt()).to(x.scalar_type());
    r.values[out] = scale.is_set() ? normal.mul(scale.in(r)) : normal;
  };
}

}  // namespace

Result<Kernel> kernel_for(const NodeView& view, const graph::LayerNorm& op) {
  const std::string_view function = function_of(view);
  if (function == "MeanVarianceNormalization") return mean_variance_kernel(view);
  if (function == "LpNormalization") return unit_length_kernel(view);
  const auto slots = slots_of(view, weight_operands_of(view));
  std::size_t next = 0;
  const TensorSlot scale = op.scale ? slots[next++] : TensorSlot();
  const TensorSlot bias = op.center ? slots[next] : TensorSlot();
  const double epsilon = number_of(view, "epsilon", kEpsilon);
  const Sizes sizes = input_sizes(view);
  if (!op.center && function != "LayerNormalization") {
    Sizes axes;
    for (std::size_t i = 1; i <= op.axes; ++i) axes.push_back(-static_cast<std::int64_t>(i));
    return root_mean_square_kernel(view, std::move(axes), scale, epsilon);
  }
  const Sizes normed(sizes.end() - static_cast<std::ptrdiff_t>(op.axes), sizes.end());
  return Kernel([=, in = input_id(view, 0), out = output_id(view)](Registers& r) {
    r.values[out] = at::layer_norm(r.values[in], normed, scale.in(r), bias.in(r), epsilon,
                                   /*cudnn_enable=*/true);
  });
}

// Divides by the mean square over neighboring channels, as torch.nn.functional: the channels become an axis
// of a pooling.
Result<Kernel> kernel_for(const NodeView& view, const graph::LocalResponseNorm& op) {
  const double alpha = number_of(view, "alpha", 1e-4);
  const double beta = number_of(view, "beta", 0.75);
  const double bias = number_of(view, "bias", 1);
  // An even window extends further to the front in PyTorch, to the back in ONNX.
  const bool leans_back = view.content != nullptr;
  const std::int64_t before = leans_back ? (op.size - 1) / 2 : op.size / 2;
  const std::int64_t after = op.size - 1 - before;
  const Sizes sizes = input_sizes(view);
  if (sizes.size() < 3) return unsupported(view, "fewer than three axes are not supported");
  const bool flat = sizes.size() == 3;
  Sizes margin{0, 0, before, after};
  Sizes kernel{op.size, 1};
  Sizes folded{sizes[0], 1, sizes[1], sizes[2]};
  if (!flat) {
    margin = {0, 0, 0, 0, before, after};
    kernel = {op.size, 1, 1};
    folded.push_back(-1);
  }
  const Sizes ones(kernel.size(), 1);
  return unary_kernel(view, [=](const at::Tensor& x) {
    const at::Tensor squares = at::constant_pad_nd(x.mul(x).reshape(folded), margin, 0);
    const at::Tensor means =
        (flat ? at::avg_pool2d(squares, kernel, ones) : at::avg_pool3d(squares, kernel, ones)).reshape(sizes);
    return x.div(means.mul(alpha).add(bias).pow(beta));
  });
}

Result<Kernel> kernel_for(const NodeView& view, const graph::Normalization&) {
  const auto slots = slots_of(view, weight_operands_of(view));
  Sizes shape(input_value(view, 0).shape.rank(), 1);
  shape[1] = -1;
  return Kernel(
      [=, mean = slots[0], variance = slots[1], in = input_id(view, 0), out = output_id(view)](Registers& r) {
        r.values[out] = r.values[in].sub(mean.in(r).reshape(shape)).div(variance.in(r).reshape(shape).sqrt());
      });
}

}  // namespace ergon::profile::torch
