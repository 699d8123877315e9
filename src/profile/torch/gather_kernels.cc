#include <ATen/ops/arange.h>
#include <ATen/ops/gather.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/where.h>

#include "profile/torch/families.h"
#include "profile/torch/parts.h"
#include "profile/torch/stored_tensor.h"

namespace ergon::profile::torch {
namespace {

// Negative indices count from the end.
at::Tensor counted_from_start(const at::Tensor& indices, std::int64_t size) {
  return at::where(indices.lt(0), indices.add(size), indices).to(at::kLong);
}

// The indices: the second input, or a constant.
struct Indices {
  TensorSlot slot;
  Constant constant;

  const at::Tensor& in(const Registers& r, const at::Tensor& like) {
    return slot.is_set() ? slot.in(r) : constant.matching(like);
  }
};

Result<Indices> indices_of(const NodeView& view, std::size_t operand) {
  Indices indices;
  if (const auto* stored = constant_of(view, operand)) {
    const auto tensor = to_tensor(*stored);
    if (!tensor) return tensor.error();
    indices.constant = Constant(tensor->to(at::kLong));
    return indices;
  }
  if (!has_operand(view, operand)) return unsupported(view, "the indices are not in the file");
  indices.slot = TensorSlot::value(input_id(view, *view.content->operands[operand].input_index));
  return indices;
}

std::size_t data_id(const NodeView& view) {
  const bool listed = view.content != nullptr && !view.content->operands.empty();
  return input_id(view, listed ? view.content->operands[0].input_index.value_or(0) : 0);
}

std::int64_t axis_of(const NodeView& view, std::int64_t otherwise) {
  const std::int64_t axis = integer_of(view, "axis", otherwise);
  return axis < 0 ? axis + rank_of(view) : axis;
}

Kernel selecting_kernel(const NodeView& view, std::int64_t axis, Indices indices) {
  const std::int64_t size = input_sizes(view)[static_cast<std::size_t>(axis)];
  const std::size_t in = data_id(view);
  const std::size_t out = output_id(view);
  const at::Tensor& host = indices.constant.host();
  if (host.defined() && host.dim() == 0) {
    std::int64_t row = host.item().toLong();
    if (row < 0) row += size;
    return [=](Registers& r) { r.values[out] = r.values[in].select(axis, row); };
  }
  if (host.defined()) {
    Constant rows(counted_from_start(host, size).reshape(-1));
    return [=, to = output_sizes(view)](Registers& r) mutable {
      const at::Tensor& x = r.values[in];
      r.values[out] = at::index_select(x, axis, rows.matching(x)).reshape(to);
    };
  }
  return [=, to = output_sizes(view)](Registers& r) mutable {
    const at::Tensor& x = r.values[in];
    const at::Tensor rows = counted_from_start(indices.in(r, x), size).reshape(-1);
    r.values[out] = at::index_select(x, axis, rows).reshape(to);
  };
}

Kernel elements_kernel(const NodeView& view, Indices indices) {
  const std::int64_t axis = axis_of(view, 0);
  const std::int64_t size = input_sizes(view)[static_cast<std::size_t>(axis)];
  return [=, in = data_id(view), out = output_id(view)](Registers& r) mutable {
    const at::Tensor& x = r.values[in];
    r.values[out] = at::gather(x, axis, counted_from_start(indices.in(r, x), size));
  };
}

// Flattens the axes that the indices select from, after the batch axes.
Kernel points_kernel(const NodeView& view, Indices indices) {
  const Sizes data = input_sizes(view);
  const auto shared = static_cast<std::size_t>(integer_of(view, "batch_dims", 0));
  Sizes depth_sizes;
  const std::int64_t depth = indices.constant.host().defined()
                                 ? indices.constant.host().size(-1)
                                 : input_sizes(view, view.node.inputs.size() - 1).back();
  std::int64_t groups = 1;
  for (std::size_t i = 0; i < shared; ++i) groups *= data[i];
  std::int64_t points = 1;
  for (std::size_t i = 0; i < static_cast<std::size_t>(depth); ++i) {
    depth_sizes.push_back(data[shared + i]);
    points *= data[shared + i];
  }
  Sizes folded{groups * points};
  folded.insert(folded.end(), data.begin() + static_cast<std::ptrdiff_t>(shared) + depth, data.end());
  Constant firsts(at::arange(groups, at::kLong).mul(points).reshape({groups, 1}));
  return [=, in = data_id(view), out = output_id(view), to = output_sizes(view)](Registers& r) mutable {
    const at::Tensor& x = r.values[in];
    const at::Tensor& index = indices.in(r, x);
    at::Tensor rows;
    for (std::int64_t i = 0; i < depth; ++i) {
      const std::int64_t size = depth_sizes[static_cast<std::size_t>(i)];
      const at::Tensor next = counted_from_start(index.select(-1, i), size);
      rows = rows.defined() ? rows.mul(size).add(next) : next;
    }
    rows = rows.reshape({groups, -1}).add(firsts.matching(x)).reshape(-1);
    r.values[out] = at::index_select(x.reshape(folded), 0, rows).reshape(to);
  };
}

Result<Kernel> one_hot_kernel(const NodeView& view) {
  const auto* stored = constant_of(view, 2);
  if (stored == nullptr) return unsupported(view, "computed values are not supported");
  const auto values = to_tensor(*stored);
  if (!values) return values.error();
  if (values->numel() != 2) return unsupported(view, "expected two values (off, on)");
  const std::int64_t rank = rank_of(view) + 1;
  std::int64_t axis = integer_of(view, "axis", -1);
  if (axis < 0) axis += rank;
  const std::int64_t classes = output_sizes(view)[static_cast<std::size_t>(axis)];
  Sizes shape(static_cast<std::size_t>(rank), 1);
  shape[static_cast<std::size_t>(axis)] = classes;
  Constant ladder(at::arange(classes, at::kLong).reshape(shape));
  const auto target = scalar_type_of(output_value(view).type);
  const bool floating = graph::is_floating(output_value(view).type);
  const at::ScalarType type = floating ? view.precision : target.value_or(at::kLong);
  Constant both(values->to(type));
  return unary_kernel(view, [=](const at::Tensor& x) mutable {
    const at::Tensor index = x.to(at::kLong);
    const at::Tensor on = counted_from_start(index, classes).unsqueeze(axis).eq(ladder.matching(index));
    const at::Tensor& pair = both.matching(index);
    return at::where(on, pair.select(0, 1), pair.select(0, 0));
  });
}

// Without a file: a removed axis is read at index 0, an axis of another size at evenly spaced indices, and
// anything else is gathered element by element.
Kernel guessed_kernel(const NodeView& view) {
  const Sizes from = input_sizes(view);
  const Sizes to = output_sizes(view);
  const bool has_indices = view.node.inputs.size() > 1;
  const Sizes by = has_indices ? input_sizes(view, 1) : Sizes();
  for (std::size_t axis = 0; axis < from.size(); ++axis) {
    Sizes expected(from.begin(), from.begin() + static_cast<std::ptrdiff_t>(axis));
    expected.insert(expected.end(), by.begin(), by.end());
    expected.insert(expected.end(), from.begin() + static_cast<std::ptrdiff_t>(axis) + 1, from.end());
    if (expected != to) continue;
    // An axis of size 1 could be any axis; the batch axis is not selected from.
    if (axis == 0 && input_value(view, 0).shape[0].batched && from.size() > 1) continue;
    if (has_indices)
      return selecting_kernel(view, static_cast<std::int64_t>(axis),
                              {TensorSlot::value(input_id(view, 1)), {}});
    return unary_kernel(
        view, [axis = static_cast<std::int64_t>(axis)](const at::Tensor& x) { return x.select(axis, 0); });
  }
  if (has_indices && by == to && by.size() == from.size()) {
    return [in = input_id(view, 0), by = input_id(view, 1), out = output_id(view), rank = rank_of(view)](
               Registers& r) { r.values[out] = at::gather(r.values[in], rank - 1, r.values[by]); };
  }
  std::size_t different = 0;
  std::size_t axis = 0;
  for (std::size_t i = 0; from.size() == to.size() && i < from.size(); ++i) {
    if (from[i] != to[i]) {
      ++different;
      axis = i;
    }
  }
  if (from.size() == to.size() && different <= 1 && !from.empty()) {
    Constant rows(at::arange(to[axis], at::kLong).remainder(from[axis]));
    return unary_kernel(view, [rows, axis = static_cast<std::int64_t>(axis)](const at::Tensor& x) mutable {
      return at::index_select(x, axis, rows.matching(x));
    });
  }
  std::int64_t have = 1;
  std::int64_t want = 1;
  for (const std::int64_t size : from) have *= size;
  for (const std::int64_t size : to) want *= size;
  Constant picks(at::arange(want, at::kLong).remainder(have));
  const graph::ElementType target = output_value(view).type;
  const at::ScalarType type =
      graph::is_floating(target) ? view.precision : scalar_type_of(target).value_or(at::kLong);
  return unary_kernel(view, [=](const at::Tensor& x) mutable {
    return at::index_select(x.reshape(-1), 0, picks.matching(x)).reshape(to).to(type);
  });
}

}  // namespace

Result<Kernel> kernel_for(const NodeView& view, const graph::Gather&) {
  const std::string_view function = function_of(view);
  if (function.empty() || view.content->operands.empty()) return guessed_kernel(view);
  if (function == "OneHot") return one_hot_kernel(view);
  auto indices = indices_of(view, 1);
  if (!indices) return indices.error();
  if (function == "Gather") return selecting_kernel(view, axis_of(view, 0), std::move(*indices));
  if (function == "GatherElements") return elements_kernel(view, std::move(*indices));
  if (function == "GatherND") return points_kernel(view, std::move(*indices));
  return unsupported(view, "not supported");
}

}  // namespace ergon::profile::torch
