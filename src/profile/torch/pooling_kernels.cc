// Maximum and mean pooling. ATen pads both ends equally, by at most half a window, and counts padding always
// or never. Other padding is applied before, and excess results are cropped afterwards.

#include <ATen/ops/adaptive_avg_pool1d.h>
#include <ATen/ops/adaptive_avg_pool2d.h>
#include <ATen/ops/adaptive_avg_pool3d.h>
#include <ATen/ops/adaptive_max_pool1d.h>
#include <ATen/ops/adaptive_max_pool2d.h>
#include <ATen/ops/adaptive_max_pool3d.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/avg_pool1d.h>
#include <ATen/ops/avg_pool2d.h>
#include <ATen/ops/avg_pool3d.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/max_pool1d.h>
#include <ATen/ops/max_pool1d_with_indices.h>
#include <ATen/ops/max_pool2d.h>
#include <ATen/ops/max_pool2d_with_indices.h>
#include <ATen/ops/max_pool3d.h>
#include <ATen/ops/max_pool3d_with_indices.h>
#include <ATen/ops/ones.h>
#include <algorithm>
#include <limits>

#include "profile/torch/families.h"
#include "profile/torch/parts.h"

namespace ergon::profile::torch {
namespace {

using graph::PoolKind;

struct Plan {
  Sizes kernel, stride, dilation, padding;
  Sizes margin;  // padding before, in constant_pad_nd's order; may be empty
  Sizes result;  // crop to these sizes; may be empty
  bool round_up = false;
  bool counts_padding = true;
};

bool is_uniform(const Sizes& sizes, std::int64_t size) {
  return std::ranges::all_of(sizes, [&](std::int64_t s) { return s == size; });
}

Plan plan_of(const NodeView& view, const graph::Pool& op) {
  const graph::Window& window = op.window;
  Plan plan{to_sizes(window.kernel),
            to_sizes(window.stride),
            to_sizes(window.dilation),
            to_sizes(window.pad_begin),
            {},
            {},
            op.round_up,
            true};
  const Sizes end = to_sizes(window.pad_end);
  bool fits = plan.padding == end;
  for (std::size_t i = 0; i < end.size(); ++i) fits = fits && 2 * plan.padding[i] <= plan.kernel[i];
  if (fits) return plan;
  for (std::size_t i = end.size(); i > 0; --i) {
    plan.margin.push_back(plan.padding[i - 1]);
    plan.margin.push_back(end[i - 1]);
  }
  plan.padding.assign(end.size(), 0);
  if (op.round_up) plan.result = output_sizes(view);
  return plan;
}

at::Tensor padded(const at::Tensor& x, const Plan& p, double with) {
  return p.margin.empty() ? x : at::constant_pad_nd(x, p.margin, with);
}

at::Tensor cut(at::Tensor x, const Plan& p) {
  for (std::size_t i = 2; i < p.result.size(); ++i)
    x = x.narrow(static_cast<std::int64_t>(i), 0, p.result[i]);
  return x;
}

at::Tensor maximum(const at::Tensor& x, const Plan& p) {
  switch (p.kernel.size()) {
    case 1:
      return at::max_pool1d(x, p.kernel, p.stride, p.padding, p.dilation, p.round_up);
    case 2:
      return at::max_pool2d(x, p.kernel, p.stride, p.padding, p.dilation, p.round_up);
    default:
      return at::max_pool3d(x, p.kernel, p.stride, p.padding, p.dilation, p.round_up);
  }
}

std::tuple<at::Tensor, at::Tensor> greatest_and_where(const at::Tensor& x, const Plan& p) {
  switch (p.kernel.size()) {
    case 1:
      return at::max_pool1d_with_indices(x, p.kernel, p.stride, p.padding, p.dilation, p.round_up);
    case 2:
      return at::max_pool2d_with_indices(x, p.kernel, p.stride, p.padding, p.dilation, p.round_up);
    default:
      return at::max_pool3d_with_indices(x, p.kernel, p.stride, p.padding, p.dilation, p.round_up);
  }
}

at::Tensor mean(const at::Tensor& x, const Plan& p) {
  switch (p.kernel.size()) {
    case 1:
      return at::avg_pool1d(x, p.kernel, p.stride, p.padding, p.round_up, p.counts_padding);
    case 2:
      return at::avg_pool2d(x, p.kernel, p.stride, p.padding, p.round_up, p.counts_padding);
    default:
      return at::avg_pool3d(x, p.kernel, p.stride, p.padding, p.round_up, p.counts_padding);
  }
}

// ATen has no dilated mean pooling, so the taps of the window are added one by one.
at::Tensor sum_of_taps(const at::Tensor& x, const Plan& p, const Sizes& result) {
  at::Tensor sum;
  Sizes tap(p.kernel.size(), 0);
  while (true) {
    at::Tensor seen = x;
    for (std::size_t i = 0; i < tap.size(); ++i) {
      const std::int64_t first = tap[i] * p.dilation[i];
      seen = seen.slice(static_cast<std::int64_t>(i) + 2, first,
                        first + (result[i + 2] - 1) * p.stride[i] + 1, p.stride[i]);
    }
    sum = sum.defined() ? sum.add(seen) : seen;
    std::size_t axis = 0;
    while (axis < tap.size() && ++tap[axis] == p.kernel[axis]) tap[axis++] = 0;
    if (axis == tap.size()) return sum;
  }
}

// Everything that the window covers, including padding and overhang.
Sizes whole_margin(const NodeView& view, const graph::Pool& op) {
  const Sizes in = input_sizes(view);
  const Sizes out = output_sizes(view);
  Sizes margin;
  for (std::size_t i = op.window.rank(); i > 0; --i) {
    const std::size_t a = i - 1;
    const std::int64_t reach =
        (out[a + 2] - 1) * op.window.stride[a] + (op.window.kernel[a] - 1) * op.window.dilation[a] + 1;
    margin.push_back(op.window.pad_begin[a]);
    margin.push_back(std::max(op.window.pad_end[a], reach - in[a + 2] - op.window.pad_begin[a]));
  }
  return margin;
}

Result<Kernel> max_kernel(const NodeView& view, const Plan& plan) {
  constexpr double kLowest = -std::numeric_limits<double>::infinity();
  if (!graph::is_floating(input_value(view, 0).type) && !plan.margin.empty()) {
    return unsupported(view, "integers with asymmetric padding are not supported");
  }
  if (view.node.outputs.size() < 2) {
    return unary_kernel(
        view, [plan](const at::Tensor& x) { return cut(maximum(padded(x, plan, kLowest), plan), plan); });
  }
  if (!plan.margin.empty()) return unsupported(view, "indices with asymmetric padding are not supported");
  if (integer_of(view, "storage_order", 0) != 0)
    return unsupported(view, "column-major indices are not supported");
  const Sizes sizes = input_sizes(view);
  std::int64_t plane = 1;
  for (std::size_t i = 2; i < sizes.size(); ++i) plane *= sizes[i];
  Sizes shape(sizes.size(), 1);
  shape[0] = sizes[0];
  shape[1] = sizes[1];
  Constant first(at::arange(sizes[0] * sizes[1], at::kLong).mul(plane).reshape(shape));
  // Indices of ATen are within one channel, those of ONNX within the whole tensor.
  return Kernel([plan, first, in = input_id(view, 0), out = output_id(view),
                 where = output_id(view, 1)](Registers& r) mutable {
    auto [values, indices] = greatest_and_where(r.values[in], plan);
    r.values[where] = indices.add(first.matching(indices));
    r.values[out] = std::move(values);
  });
}

// Mean without padding: the mean with padding divided by the mean of ones with padding.
Result<Kernel> uncounted_kernel(const NodeView& view, const Plan& plan) {
  Sizes sizes = input_sizes(view);
  sizes[0] = sizes[1] = 1;
  const at::Tensor share = cut(mean(padded(at::ones(sizes), plan, 0), plan), plan);
  return unary_kernel(view, [plan, share = Constant(share)](const at::Tensor& x) mutable {
    return cut(mean(padded(x, plan, 0), plan), plan).div(share.matching(x));
  });
}

Result<Kernel> dilated_mean_kernel(const NodeView& view, const graph::Pool& op, Plan plan) {
  plan.margin = whole_margin(view, op);
  const Sizes result = output_sizes(view);
  Sizes sizes = input_sizes(view);
  sizes[0] = sizes[1] = 1;
  const Sizes begin = to_sizes(op.window.pad_begin);
  const Sizes end = to_sizes(op.window.pad_end);
  at::Tensor ones = at::ones(sizes);
  if (plan.counts_padding) {
    Sizes counted;
    for (std::size_t i = begin.size(); i > 0; --i) counted.insert(counted.end(), {begin[i - 1], end[i - 1]});
    ones = at::constant_pad_nd(ones, counted, 1);
    for (std::size_t i = 0; i < plan.margin.size(); ++i) counted[i] = plan.margin[i] - counted[i];
    ones = at::constant_pad_nd(ones, counted, 0);
  } else {
    ones = padded(ones, plan, 0);
  }
  return unary_kernel(
      view, [plan, result, count = Constant(sum_of_taps(ones, plan, result))](const at::Tensor& x) mutable {
        return sum_of_taps(padded(x, plan, 0), plan, result).div(count.matching(x));
      });
}

}  // namespace

Result<Kernel> kernel_for(const NodeView& view, const graph::Pool& op) {
  Plan plan = plan_of(view, op);
  if (op.kind == PoolKind::max) return max_kernel(view, plan);
  if (op.kind == PoolKind::norm) {
    const double order = number_of(view, "p", 2);
    plan.margin = whole_margin(view, op);
    return unary_kernel(view, [plan, order, result = output_sizes(view)](const at::Tensor& x) {
      return sum_of_taps(padded(x.abs().pow(order), plan, 0), plan, result).pow(1 / order);
    });
  }
  // By default PyTorch counts padding; ONNX and TensorFlow do not.
  const std::string& family = view.network.family;
  const bool counts_padding = family != "onnx" && family != "keras" && family != "slim";
  plan.counts_padding =
      integer_of(view, "count_include_pad", counts_padding && view.content == nullptr ? 1 : 0) != 0;
  if (!is_uniform(plan.dilation, 1)) return dilated_mean_kernel(view, op, plan);
  if (!plan.margin.empty() && !plan.counts_padding) {
    plan.counts_padding = true;
    return uncounted_kernel(view, plan);
  }
  return unary_kernel(view,
                      [plan](const at::Tensor& x) { return cut(mean(padded(x, plan, 0), plan), plan); });
}

Result<Kernel> kernel_for(const NodeView& view, const graph::AdaptivePool& op) {
  const Sizes sizes = to_sizes(op.output);
  if (op.kind == PoolKind::norm) {
    if (!is_uniform(sizes, 1))
      return unsupported(view, "a norm with more than one output per channel is not supported");
    Sizes axes;
    for (std::size_t i = 0; i < sizes.size(); ++i) axes.push_back(static_cast<std::int64_t>(i) + 2);
    return unary_kernel(view, [axes, order = number_of(view, "p", 2)](const at::Tensor& x) {
      return at::linalg_vector_norm(x, order, axes, /*keepdim=*/true);
    });
  }
  const bool average = op.kind == PoolKind::average;
  switch (sizes.size()) {
    case 1:
      if (average)
        return unary_kernel(view, [sizes](const at::Tensor& x) { return at::adaptive_avg_pool1d(x, sizes); });
      return unary_kernel(
          view, [sizes](const at::Tensor& x) { return std::get<0>(at::adaptive_max_pool1d(x, sizes)); });
    case 2:
      if (average)
        return unary_kernel(view, [sizes](const at::Tensor& x) { return at::adaptive_avg_pool2d(x, sizes); });
      return unary_kernel(
          view, [sizes](const at::Tensor& x) { return std::get<0>(at::adaptive_max_pool2d(x, sizes)); });
    default:
      if (average)
        return unary_kernel(view, [sizes](const at::Tensor& x) { return at::adaptive_avg_pool3d(x, sizes); });
      return unary_kernel(
          view, [sizes](const at::Tensor& x) { return std::get<0>(at::adaptive_max_pool3d(x, sizes)); });
  }
}

}  // namespace ergon::profile::torch
