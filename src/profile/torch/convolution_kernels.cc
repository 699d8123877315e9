#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/conv1d.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/conv3d.h>
#include <ATen/ops/conv_transpose1d.h>
#include <ATen/ops/conv_transpose2d.h>
#include <ATen/ops/conv_transpose3d.h>
#include <ATen/ops/var_mean.h>
#include <algorithm>

#include "profile/torch/families.h"
#include "profile/torch/parts.h"

namespace ergon::profile::torch {
namespace {

// Parameters of a convolution that are constant between calls.
struct Plan {
  std::size_t in = 0;
  std::size_t out = 0;
  TensorSlot kernel, bias;
  Sizes stride, padding, dilation, output_padding;
  std::int64_t groups = 1;
  Sizes margin;  // padding before the convolution (after a transposed one), in constant_pad_nd's order
};

Plan plan_of(const NodeView& view, const graph::Window& window, std::int64_t groups) {
  Plan plan;
  plan.in = input_id(view, 0);
  plan.out = output_id(view);
  const auto slots = slots_of(view, weight_operands_of(view));
  plan.kernel = slots[0];
  if (slots.size() > 1) plan.bias = slots[1];
  plan.stride = to_sizes(window.stride);
  plan.dilation = to_sizes(window.dilation);
  plan.groups = groups;
  return plan;
}

// constant_pad_nd's order: begin and end per axis, last axis first.
Sizes margin_of(const Sizes& begin, const Sizes& end) {
  Sizes margin;
  for (std::size_t i = begin.size(); i > 0; --i) {
    margin.push_back(begin[i - 1]);
    margin.push_back(end[i - 1]);
  }
  return margin;
}

bool any(const Sizes& sizes) {
  return std::ranges::any_of(sizes, [](std::int64_t size) { return size != 0; });
}

at::Tensor convolve(const at::Tensor& x, const at::Tensor& w, const at::Tensor& b, const Plan& p) {
  switch (p.stride.size()) {
    case 1:
      return at::conv1d(x, w, b, p.stride, p.padding, p.dilation, p.groups);
    case 2:
      return at::conv2d(x, w, b, p.stride, p.padding, p.dilation, p.groups);
    default:
      return at::conv3d(x, w, b, p.stride, p.padding, p.dilation, p.groups);
  }
}

at::Tensor spread(const at::Tensor& x, const at::Tensor& w, const at::Tensor& b, const Plan& p) {
  switch (p.stride.size()) {
    case 1:
      return at::conv_transpose1d(x, w, b, p.stride, p.padding, p.output_padding, p.groups, p.dilation);
    case 2:
      return at::conv_transpose2d(x, w, b, p.stride, p.padding, p.output_padding, p.groups, p.dilation);
    default:
      return at::conv_transpose3d(x, w, b, p.stride, p.padding, p.output_padding, p.groups, p.dilation);
  }
}

// Weight standardization: mean 0 and variance 1 per filter, as in BiT networks.
at::Tensor standardized(const at::Tensor& kernel, const Sizes& axes) {
  const auto [variance, mean] = at::var_mean(kernel, axes, /*unbiased=*/false, /*keepdim=*/true);
  return kernel.sub(mean).div(variance.add(1e-10).sqrt());
}

}  // namespace

Result<Kernel> kernel_for(const NodeView& view, const graph::Convolution& op) {
  const std::string_view function = function_of(view);
  if (function == "ConvInteger" || function == "QLinearConv" || function == "DeformConv") {
    return unsupported(view, "only float convolutions are supported");
  }
  Plan plan = plan_of(view, op.window, op.groups);
  const Sizes begin = to_sizes(op.window.pad_begin);
  const Sizes end = to_sizes(op.window.pad_end);
  // ATen pads both ends equally; the difference is padded before.
  plan.padding = begin;
  if (begin != end) {
    plan.padding.assign(begin.size(), 0);
    plan.margin = margin_of(begin, end);
  }
  if (op.standardized) {
    Sizes axes;
    for (std::size_t i = 1; i < op.window.rank() + 2; ++i) axes.push_back(static_cast<std::int64_t>(i));
    return Kernel([plan, axes](Registers& r) {
      const at::Tensor kernel = standardized(plan.kernel.in(r), axes);
      const at::Tensor& x = r.values[plan.in];
      r.values[plan.out] = convolve(plan.margin.empty() ? x : at::constant_pad_nd(x, plan.margin, 0), kernel,
                                    plan.bias.in(r), plan);
    });
  }
  if (!plan.margin.empty()) {
    return Kernel([plan](Registers& r) {
      r.values[plan.out] = convolve(at::constant_pad_nd(r.values[plan.in], plan.margin, 0), plan.kernel.in(r),
                                    plan.bias.in(r), plan);
    });
  }
  return Kernel([plan](Registers& r) {
    r.values[plan.out] = convolve(r.values[plan.in], plan.kernel.in(r), plan.bias.in(r), plan);
  });
}

Result<Kernel> kernel_for(const NodeView& view, const graph::TransposedConvolution& op) {
  Plan plan = plan_of(view, op.window, op.groups);
  plan.output_padding = to_sizes(op.output_padding);
  Sizes begin = to_sizes(op.window.pad_begin);
  Sizes end = to_sizes(op.window.pad_end);
  for (std::size_t i = 0; i < begin.size(); ++i) {
    // Padding of a transposed convolution crops the result. ATen crops both ends equally; the difference is
    // cropped afterwards, or padded if it is negative.
    plan.padding.push_back(std::max<std::int64_t>(0, std::min(begin[i], end[i])));
    begin[i] = plan.padding[i] - begin[i];
    end[i] = plan.padding[i] - end[i];
    if (plan.output_padding[i] >= std::max(plan.stride[i], plan.dilation[i])) {
      end[i] += std::exchange(plan.output_padding[i], 0);
    }
    // Output padding at the end restores rows that the padding had cropped.
    const std::int64_t again = std::min(std::max<std::int64_t>(end[i], 0), plan.padding[i]);
    if (again > 0) {
      begin[i] -= plan.padding[i];
      end[i] -= plan.padding[i];
      plan.padding[i] = 0;
    }
  }
  plan.margin = margin_of(begin, end);
  if (!any(plan.margin)) {
    return Kernel([plan](Registers& r) {
      r.values[plan.out] = spread(r.values[plan.in], plan.kernel.in(r), plan.bias.in(r), plan);
    });
  }
  Sizes shape(op.window.rank() + 1, 1);
  shape[0] = op.out_channels;
  return Kernel([plan, shape](Registers& r) {
    const at::Tensor whole = spread(r.values[plan.in], plan.kernel.in(r), at::Tensor(), plan);
    const at::Tensor cut = at::constant_pad_nd(whole, plan.margin, 0);
    r.values[plan.out] = plan.bias.is_set() ? cut.add(plan.bias.in(r).reshape(shape)) : cut;
  });
}

}  // namespace ergon::profile::torch
