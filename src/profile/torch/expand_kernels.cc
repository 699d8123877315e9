#include <ATen/ops/empty.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/full.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randn.h>

#include "profile/torch/families.h"
#include "profile/torch/parts.h"
#include "profile/torch/stored_tensor.h"

namespace ergon::profile::torch {
namespace {

at::ScalarType type_of(const NodeView& view) {
  const graph::ElementType type = output_value(view).type;
  if (graph::is_floating(type)) return view.precision;
  return scalar_type_of(type).value_or(at::kLong);
}

Result<Kernel> generated(const NodeView& view, std::string_view function) {
  const Sizes sizes = output_sizes(view);
  const at::ScalarType type = type_of(view);
  if (function == "ConstantOfShape") {
    const double value = number_of(view, "value", 0);
    return unary_kernel(view,
                        [=](const at::Tensor& x) { return at::full(sizes, value, x.options().dtype(type)); });
  }
  if (function == "RandomNormalLike") {
    const double mean = number_of(view, "mean", 0);
    const double scale = number_of(view, "scale", 1);
    return unary_kernel(view, [=](const at::Tensor& x) {
      return at::randn(sizes, x.options().dtype(type)).mul(scale).add(mean);
    });
  }
  if (function == "RandomUniformLike") {
    const double low = number_of(view, "low", 0);
    const double high = number_of(view, "high", 1);
    return unary_kernel(view, [=](const at::Tensor& x) {
      return at::rand(sizes, x.options().dtype(type)).mul(high - low).add(low);
    });
  }
  if (integer_of(view, "k", 0) != 0) return unsupported(view, "only the main diagonal is supported");
  return unary_kernel(
      view, [=](const at::Tensor& x) { return at::eye(sizes[0], sizes[1], x.options().dtype(type)); });
}

}  // namespace

Result<Kernel> kernel_for(const NodeView& view, const graph::Expand&) {
  const std::string_view function = function_of(view);
  const bool fills = function == "ConstantOfShape" || function == "RandomNormalLike" ||
                     function == "RandomUniformLike" || function == "EyeLike";
  if (fills) return generated(view, function);
  const Sizes from = input_sizes(view);
  const Sizes to = output_sizes(view);
  bool stretches = function != "Tile" && from.size() <= to.size();
  bool repeats = from.size() == to.size();
  for (std::size_t i = 0; i < from.size() && from.size() <= to.size(); ++i) {
    const std::int64_t target = to[to.size() - from.size() + i];
    stretches = stretches && (from[i] == target || from[i] == 1);
    repeats = repeats && target % from[i] == 0;
  }
  if (stretches) return unary_kernel(view, [to](const at::Tensor& x) { return x.expand(to); });
  if (repeats) {
    Sizes times;
    for (std::size_t i = 0; i < from.size(); ++i) times.push_back(to[i] / from[i]);
    return unary_kernel(view, [times](const at::Tensor& x) { return x.repeat(times); });
  }
  // A filled shape whose value is not in the file.
  const at::ScalarType type = type_of(view);
  return unary_kernel(view, [=](const at::Tensor& x) { return at::full(to, 0, x.options().dtype(type)); });
}

}  // namespace ergon::profile::torch
