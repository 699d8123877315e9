#include "profile/torch/scatter.h"

#include <ATen/ops/clone.h>

#include "profile/torch/parts.h"
#include "profile/torch/stored_tensor.h"

namespace ergon::profile::torch {

bool is_scatter(const NodeView& view) {
  const auto* op = std::get_if<graph::Arithmetic>(&view.node.operation);
  if (op == nullptr || op->combine != graph::Combine::where) return false;
  return function_of(view).starts_with("Scatter") ||
         (view.content == nullptr && view.node.inputs.size() == 1 && !op->weight && !op->scalar);
}

Result<Kernel> scatter_kernel(const NodeView& view) {
  if (view.content == nullptr) return unary_kernel(view, [](const at::Tensor& x) { return at::clone(x); });
  const auto* where = constant_of(view, 1);
  const auto* what = constant_of(view, 2);
  if (where == nullptr || what == nullptr) {
    return unsupported(view, "computed indices or updates are not supported");
  }
  const std::string_view reduction = word_of(view, "reduction", "none");
  if (reduction != "none" && reduction != "add")
    return unsupported(view, fmt::format("reduction {} is not supported", reduction));
  const bool adds = reduction == "add";
  const auto indices = to_tensor(*where);
  if (!indices) return indices.error();
  const auto updates = to_tensor(*what);
  if (!updates) return updates.error();
  const Sizes sizes = input_sizes(view);
  if (function_of(view) == "ScatterND") {
    // Flattens the axes that the indices select from.
    Sizes folded{1};
    at::Tensor rows;
    const std::int64_t depth = indices->size(-1);
    for (std::int64_t i = 0; i < depth; ++i) {
      const std::int64_t size = sizes[static_cast<std::size_t>(i)];
      const at::Tensor index = indices->select(-1, i).to(at::kLong).remainder(size).reshape(-1);
      rows = rows.defined() ? rows.mul(size).add(index) : index;
      folded[0] *= size;
    }
    if (!rows.defined()) return unsupported(view, "the indices are empty");
    folded.insert(folded.end(), sizes.begin() + depth, sizes.end());
    Sizes parts = folded;
    parts[0] = rows.numel();
    return unary_kernel(view, [=, rows = Constant(rows),
                               updates = Constant(updates->reshape(parts))](const at::Tensor& x) mutable {
      const at::Tensor flat = x.reshape(folded);
      return (adds ? flat.index_add(0, rows.matching(x), updates.matching(x))
                   : flat.index_copy(0, rows.matching(x), updates.matching(x)))
          .reshape(sizes);
    });
  }
  const std::int64_t axis = integer_of(view, "axis", 0);
  const std::size_t dimension = static_cast<std::size_t>(axis < 0 ? axis + rank_of(view) : axis);
  const at::Tensor index = indices->to(at::kLong);
  Constant chosen(index.remainder(sizes[dimension]));
  return unary_kernel(view, [axis, adds, chosen, updates = Constant(*updates)](const at::Tensor& x) mutable {
    return adds ? x.scatter_add(axis, chosen.matching(x), updates.matching(x))
                : x.scatter(axis, chosen.matching(x), updates.matching(x));
  });
}

}  // namespace ergon::profile::torch
