#include <ATen/ops/amax.h>
#include <ATen/ops/amin.h>
#include <ATen/ops/argmax.h>
#include <ATen/ops/argmin.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/logsumexp.h>
#include <ATen/ops/mean.h>
#include <ATen/ops/prod.h>
#include <ATen/ops/sum.h>
#include <algorithm>

#include "profile/torch/families.h"
#include "profile/torch/parts.h"

namespace ergon::profile::torch {
namespace {

using graph::ReduceKind;

// The reduced axes in ascending order.
Sizes axes_of(const NodeView& view, const graph::Reduce& op) {
  const std::int64_t rank = rank_of(view);
  Sizes axes;
  for (const std::int64_t axis : op.axes) axes.push_back(axis < 0 ? axis + rank : axis);
  for (std::int64_t axis = 0; op.axes.empty() && axis < rank; ++axis) axes.push_back(axis);
  std::ranges::sort(axes);
  axes.erase(std::ranges::unique(axes).begin(), axes.end());
  return axes;
}

Kernel arg_kernel(const NodeView& view, const graph::Reduce& op) {
  const std::int64_t axis = op.axes.empty() ? 0 : op.axes[0];
  const bool is_min = function_of(view) == "ArgMin";
  const bool last = integer_of(view, "select_last_index", 0) != 0;
  const auto find = [is_min, axis, keep = op.keep](const at::Tensor& x) {
    return is_min ? at::argmin(x, axis, keep) : at::argmax(x, axis, keep);
  };
  if (!last) return unary_kernel(view, find);
  return unary_kernel(
      view, [find, axis](const at::Tensor& x) { return find(x.flip(axis)).neg().add(x.size(axis) - 1); });
}

}  // namespace

Result<Kernel> kernel_for(const NodeView& view, const graph::Reduce& op) {
  const Sizes axes = axes_of(view, op);
  const bool keep = op.keep;
  const std::string_view function = function_of(view);
  const graph::ElementType type = input_value(view, 0).type;
  const bool whole = !graph::is_floating(type);
  if (op.kind == ReduceKind::arg) return arg_kernel(view, op);
  // ATen needs at least one axis.
  if (rank_of(view) == 0) return unsupported(view, "reduction of a scalar is not supported");
  switch (op.kind) {
    case ReduceKind::mean:
      if (whole) {
        return unary_kernel(view, [=](const at::Tensor& x) {
          return x.to(at::kDouble).mean(axes, keep).to(x.scalar_type());
        });
      }
      return unary_kernel(view, [=](const at::Tensor& x) { return at::mean(x, axes, keep); });
    case ReduceKind::sum:
      if (whole) {
        return unary_kernel(view,
                            [=](const at::Tensor& x) { return at::sum(x, axes, keep).to(x.scalar_type()); });
      }
      return unary_kernel(view, [=](const at::Tensor& x) { return at::sum(x, axes, keep); });
    case ReduceKind::max:
      return unary_kernel(view, [=](const at::Tensor& x) { return at::amax(x, axes, keep); });
    case ReduceKind::min:
      return unary_kernel(view, [=](const at::Tensor& x) { return at::amin(x, axes, keep); });
    case ReduceKind::product:
      // One axis at a time, last axis first.
      return unary_kernel(view, [=](const at::Tensor& x) {
        at::Tensor product = x;
        for (std::size_t i = axes.size(); i > 0; --i) product = at::prod(product, axes[i - 1], keep);
        return product.to(x.scalar_type());
      });
    case ReduceKind::norm: {
      if (whole) return unsupported(view, "integers are not supported");
      const double order = function == "ReduceL1" ? 1 : 2;
      return unary_kernel(view,
                          [=](const at::Tensor& x) { return at::linalg_vector_norm(x, order, axes, keep); });
    }
    case ReduceKind::log_sum:
      if (whole) return unsupported(view, "integers are not supported");
      if (function == "ReduceLogSum") {
        return unary_kernel(view, [=](const at::Tensor& x) { return at::sum(x, axes, keep).log(); });
      }
      return unary_kernel(view, [=](const at::Tensor& x) { return at::logsumexp(x, axes, keep); });
    case ReduceKind::square_sum:
      return unary_kernel(
          view, [=](const at::Tensor& x) { return at::sum(x.mul(x), axes, keep).to(x.scalar_type()); });
    case ReduceKind::arg:
      break;
  }
  return unsupported(view, "the reduction is not supported");
}

}  // namespace ergon::profile::torch
