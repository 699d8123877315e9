// Data movement: views wherever PyTorch has views.

#include <ATen/ops/cat.h>
#include <ATen/ops/dropout.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/split_with_sizes.h>
#include <algorithm>

#include "profile/torch/families.h"
#include "profile/torch/parts.h"
#include "profile/torch/stored_tensor.h"

namespace ergon::profile::torch {

Result<Kernel> kernel_for(const NodeView& view, const graph::Concat& op) {
  std::vector<std::size_t> inputs(view.node.inputs.begin(), view.node.inputs.end());
  return Kernel([inputs, axis = op.axis, out = output_id(view)](Registers& r) {
    std::vector<at::Tensor> parts;
    parts.reserve(inputs.size());
    for (const std::size_t id : inputs) parts.push_back(r.values[id]);
    r.values[out] = at::cat(parts, axis);
  });
}

Result<Kernel> kernel_for(const NodeView& view, const graph::Split& op) {
  std::vector<std::size_t> outputs(view.node.outputs.begin(), view.node.outputs.end());
  return Kernel([=, sizes = op.sizes, axis = op.axis, in = input_id(view, 0)](Registers& r) {
    std::vector<at::Tensor> parts = at::split_with_sizes(r.values[in], sizes, axis);
    for (std::size_t i = 0; i < outputs.size(); ++i) r.values[outputs[i]] = std::move(parts[i]);
  });
}

namespace {

// One axis of a slice with resolved bounds. A negative step is a positive step and a flip.
struct Cut {
  std::int64_t axis = 0;
  std::int64_t start = 0;
  std::int64_t end = 0;
  std::int64_t step = 1;
  bool turns = false;
};

Cut settled(std::int64_t axis, std::int64_t size, std::int64_t start, std::int64_t end, std::int64_t step) {
  const bool forwards = step > 0;
  const auto bound = [&](std::int64_t at, std::int64_t min, std::int64_t max) {
    if (at < 0) at = at < -size ? -1 : at + size;
    return std::clamp(at, min, max);
  };
  if (forwards) return {axis, bound(start, 0, size), bound(end, 0, size), step, false};
  const std::int64_t first = bound(start, -1, size - 1);
  const std::int64_t last = bound(end, -1, size - 1);
  const std::int64_t stride = step == INT64_MIN ? INT64_MAX : -step;
  const std::int64_t count = first <= last ? 0 : (first - last - 1) / stride + 1;
  return {axis, first - (count - 1) * stride, first + 1, stride, true};
}

std::vector<Cut> cuts_of(const NodeView& view, const graph::Slice& op) {
  const Sizes from = input_sizes(view);
  const Sizes to = output_sizes(view);
  const auto rank = static_cast<std::int64_t>(from.size());
  std::vector<Cut> cuts;
  if (op.axes.empty()) {
    for (std::int64_t i = 0; i < rank && from.size() == to.size(); ++i) {
      const auto axis = static_cast<std::size_t>(i);
      if (from[axis] != to[axis]) cuts.push_back({i, 0, to[axis], 1, false});
    }
    return cuts;
  }
  for (std::size_t i = 0; i < op.axes.size(); ++i) {
    const std::int64_t axis = op.axes[i] < 0 ? op.axes[i] + rank : op.axes[i];
    const std::int64_t step = i < op.steps.size() ? op.steps[i] : 1;
    const std::int64_t size = from[static_cast<std::size_t>(axis)];
    const Cut cut = settled(axis, size, op.starts[i], op.ends[i], step);
    const bool whole = cut.start == 0 && cut.end == size && cut.step == 1 && !cut.turns;
    if (!whole) cuts.push_back(cut);
  }
  return cuts;
}

}  // namespace

Result<Kernel> kernel_for(const NodeView& view, const graph::Slice& op) {
  return unary_kernel(view, [cuts = cuts_of(view, op)](const at::Tensor& x) {
    at::Tensor part = x;
    for (const Cut& cut : cuts) {
      part = part.slice(cut.axis, cut.start, cut.end, cut.step);
      if (cut.turns) part = part.flip(cut.axis);
    }
    return part;
  });
}

Result<Kernel> kernel_for(const NodeView& view, const graph::Reshape&) {
  return unary_kernel(view, [sizes = output_sizes(view)](const at::Tensor& x) { return x.reshape(sizes); });
}

Result<Kernel> kernel_for(const NodeView& view, const graph::Transpose& op) {
  return unary_kernel(view, [order = op.order](const at::Tensor& x) { return x.permute(order); });
}

Result<Kernel> kernel_for(const NodeView& view, const graph::Identity&) {
  return unary_kernel(view, [](const at::Tensor& x) { return x; });
}

Result<Kernel> kernel_for(const NodeView& view, const graph::Dropout&) {
  double ratio = number_of(view, "ratio", 0.5);
  if (const auto* stored = constant_of(view, 1)) {
    const auto numbers = numbers_in(*stored);
    if (numbers.size() == 1) ratio = numbers[0];
  }
  const std::size_t in = input_id(view, 0);
  const std::size_t out = output_id(view);
  if (view.node.outputs.size() > 1) {
    if (trains(view)) return unsupported(view, "the mask output is not supported in training");
    return Kernel([=, mask = output_id(view, 1)](Registers& r) {
      r.values[mask] = at::ones_like(r.values[in], at::kBool);
      r.values[out] = r.values[in];
    });
  }
  if (!trains(view)) return unary_kernel(view, [](const at::Tensor& x) { return x; });
  return unary_kernel(view, [ratio](const at::Tensor& x) { return at::dropout(x, ratio, /*train=*/true); });
}

Result<Kernel> kernel_for(const NodeView& view, const graph::Parameter& op) {
  const TensorSlot weight = slots_of(view, weight_operands_of(view))[0];
  const Sizes from = op.weight.at(1);
  const Sizes to = output_sizes(view);
  const std::size_t out = output_id(view);
  if (from == to) return Kernel([=](Registers& r) { r.values[out] = weight.in(r); });
  // The first rows of a table, or one tensor per sample.
  const bool rows = from.size() == to.size() && !from.empty() && from[0] > to[0] &&
                    std::equal(from.begin() + 1, from.end(), to.begin() + 1);
  if (rows) return Kernel([=](Registers& r) { r.values[out] = weight.in(r).narrow(0, 0, to[0]); });
  bool stretches = from.size() <= to.size();
  for (std::size_t i = 0; stretches && i < from.size(); ++i) {
    const std::int64_t target = to[to.size() - from.size() + i];
    stretches = from[i] == target || from[i] == 1;
  }
  if (!stretches) {
    return unsupported(
        view, fmt::format("shape {} instead of {}", graph::to_text(op.weight), graph::to_text(op.result)));
  }
  return Kernel([=](Registers& r) { r.values[out] = weight.in(r).expand(to); });
}

}  // namespace ergon::profile::torch
