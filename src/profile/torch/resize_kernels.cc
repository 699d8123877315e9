#include <ATen/ops/grid_sampler.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/upsample_bicubic2d.h>
#include <ATen/ops/upsample_bilinear2d.h>
#include <ATen/ops/upsample_linear1d.h>
#include <ATen/ops/upsample_nearest1d.h>
#include <ATen/ops/upsample_nearest2d.h>
#include <ATen/ops/upsample_nearest3d.h>
#include <ATen/ops/upsample_trilinear3d.h>
#include <algorithm>

#include "profile/torch/families.h"
#include "profile/torch/parts.h"
#include "profile/torch/taps.h"

namespace ergon::profile::torch {
namespace {

// DepthToSpace and SpaceToDepth, in DCR or CRD order.
Kernel blocks_kernel(const NodeView& view, bool spreads, bool columns_first) {
  const Sizes from = input_sizes(view);
  const Sizes to = output_sizes(view);
  Sizes split;
  Sizes order;
  if (spreads) {
    const std::int64_t block = to[2] / from[2];
    // CRD: the channel is the outermost part of its axis; DCR: the innermost.
    split = columns_first ? Sizes{from[0], to[1], block, block, from[2], from[3]}
                          : Sizes{from[0], block, block, to[1], from[2], from[3]};
    order = columns_first ? Sizes{0, 1, 4, 2, 5, 3} : Sizes{0, 3, 4, 1, 5, 2};
  } else {
    const std::int64_t block = from[2] / to[2];
    split = {from[0], from[1], to[2], block, to[3], block};
    order = {0, 3, 5, 1, 2, 4};
  }
  return unary_kernel(view, [=](const at::Tensor& x) { return x.reshape(split).permute(order).reshape(to); });
}

Result<Kernel> grid_kernel(const NodeView& view) {
  const std::string_view mode = word_of(view, "mode", "linear");
  const std::string_view padding = word_of(view, "padding_mode", "zeros");
  const std::int64_t kind = mode == "nearest" ? 1 : mode == "cubic" || mode == "bicubic" ? 2 : 0;
  const std::int64_t edge = padding == "border" ? 1 : padding == "reflection" ? 2 : 0;
  const bool corners = integer_of(view, "align_corners", 0) != 0;
  return Kernel([=, in = input_id(view, 0), grid = input_id(view, 1), out = output_id(view)](Registers& r) {
    r.values[out] = at::grid_sampler(r.values[in], r.values[grid], kind, edge, corners);
  });
}

Kernel nearest_kernel(const NodeView& view, const Sizes& sizes) {
  switch (sizes.size()) {
    case 1:
      return unary_kernel(view, [sizes](const at::Tensor& x) { return at::upsample_nearest1d(x, sizes); });
    case 2:
      return unary_kernel(view, [sizes](const at::Tensor& x) { return at::upsample_nearest2d(x, sizes); });
    default:
      return unary_kernel(view, [sizes](const at::Tensor& x) { return at::upsample_nearest3d(x, sizes); });
  }
}

Kernel linear_kernel(const NodeView& view, const Sizes& sizes, bool corners) {
  switch (sizes.size()) {
    case 1:
      return unary_kernel(view,
                          [=](const at::Tensor& x) { return at::upsample_linear1d(x, sizes, corners); });
    case 2:
      return unary_kernel(view,
                          [=](const at::Tensor& x) { return at::upsample_bilinear2d(x, sizes, corners); });
    default:
      return unary_kernel(view,
                          [=](const at::Tensor& x) { return at::upsample_trilinear3d(x, sizes, corners); });
  }
}

// Axis by axis, every element as a weighted sum of taps.
Result<Kernel> tapped_kernel(const NodeView& view) {
  auto axes = taps_of(view);
  if (!axes) return axes.error();
  return unary_kernel(view, [axes = std::move(*axes)](const at::Tensor& x) mutable {
    at::Tensor result = x;
    for (AxisTaps& axis : axes) {
      at::Tensor sum;
      for (AxisTaps::Tap& tap : axis.taps) {
        at::Tensor part = at::index_select(result, axis.axis, tap.rows.matching(x));
        if (!axis.plain) part = part.mul(tap.weights.matching(part));
        sum = sum.defined() ? sum.add(part) : part;
      }
      result = std::move(sum);
    }
    return result;
  });
}

}  // namespace

Result<Kernel> kernel_for(const NodeView& view, const graph::Resize&) {
  const std::string_view function = function_of(view);
  const Sizes from = input_sizes(view);
  const Sizes to = output_sizes(view);
  if (function == "GridSample" || view.node.inputs.size() > 1) return grid_kernel(view);
  if (function == "DepthToSpace") return blocks_kernel(view, true, word_of(view, "mode", "DCR") == "CRD");
  if (function == "SpaceToDepth") return blocks_kernel(view, false, false);
  if (from == to) return unary_kernel(view, [](const at::Tensor& x) { return x; });
  const bool over_images = from.size() == to.size() && from.size() >= 3 && from.size() <= 5 &&
                           from[0] == to[0] && from[1] == to[1];
  const bool floating = graph::is_floating(input_value(view, 0).type);
  const Sizes sizes(to.begin() + std::min<std::ptrdiff_t>(2, std::ssize(to)), to.end());
  if (view.content == nullptr || function.empty()) {
    if (from.size() == 4 && to.size() == 4 && from[1] != to[1])
      return blocks_kernel(view, to[2] > from[2], false);
    if (!over_images || !floating) return unsupported(view, "only images are supported");
    bool grows = true;
    for (std::size_t i = 2; i < from.size(); ++i) grows = grows && to[i] >= from[i];
    return grows ? nearest_kernel(view, sizes) : linear_kernel(view, sizes, false);
  }
  const std::string_view mode = resize_mode(view);
  const std::string_view transformation = resize_transformation(view);
  const bool exact_scales = follows_sizes(view);
  if (over_images && floating && exact_scales && integer_of(view, "antialias", 0) == 0) {
    const bool floors =
        word_of(view, "nearest_mode", "round_prefer_floor") == "floor" || function == "Upsample";
    if (mode == "nearest" && transformation == "asymmetric" && floors) return nearest_kernel(view, sizes);
    const bool linear = mode == "linear" || mode == "bilinear" || mode == "trilinear";
    // The two rules differ for outputs of size 1: one samples the middle, the other the start.
    const bool longer = std::ranges::all_of(sizes, [](std::int64_t size) { return size > 1; });
    if (linear && longer && (transformation == "half_pixel" || transformation == "pytorch_half_pixel")) {
      return linear_kernel(view, sizes, false);
    }
    if (linear && longer && transformation == "align_corners") return linear_kernel(view, sizes, true);
    if (mode == "cubic" && sizes.size() == 2 && longer && number_of(view, "cubic_coeff_a", -0.75) == -0.75 &&
        integer_of(view, "exclude_outside", 0) == 0 &&
        (transformation == "half_pixel" || transformation == "pytorch_half_pixel")) {
      return unary_kernel(view,
                          [sizes](const at::Tensor& x) { return at::upsample_bicubic2d(x, sizes, false); });
    }
  }
  return tapped_kernel(view);
}

}  // namespace ergon::profile::torch
