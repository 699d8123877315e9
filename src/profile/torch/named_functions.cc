#include "profile/torch/named_functions.h"

#include <ATen/ops/bernoulli.h>
#include <ATen/ops/clone.h>
#include <ATen/ops/cumsum.h>
#include <ATen/ops/flip.h>
#include <ATen/ops/isinf.h>
#include <ATen/ops/isnan.h>
#include <ATen/ops/tril.h>
#include <ATen/ops/triu.h>
#include <limits>

#include "profile/torch/parts.h"
#include "profile/torch/stored_tensor.h"

namespace ergon::profile::torch {
namespace {

using Method = at::Tensor (*)(const at::Tensor&);

Result<Kernel> running_sum(const NodeView& view) {
  const auto* stored = constant_of(view, 1);
  if (stored == nullptr) return unsupported(view, "a computed axis is not supported");
  const auto axes = integers_in(*stored);
  if (axes.size() != 1) return unsupported(view, "more than one axis is not supported");
  const std::int64_t axis = axes[0];
  const bool exclusive = integer_of(view, "exclusive", 0) != 0;
  const bool reverse = integer_of(view, "reverse", 0) != 0;
  return unary_kernel(view, [=](const at::Tensor& x) {
    const at::Tensor flipped = reverse ? x.flip(axis) : x;
    at::Tensor sum = at::cumsum(flipped, axis);
    if (exclusive) sum = sum.sub(flipped);
    return (reverse ? sum.flip(axis) : sum).to(x.scalar_type());
  });
}

}  // namespace

Result<Kernel> trigonometric_kernel(const NodeView& view) {
  static constexpr struct {
    std::string_view name;
    Method method;
  } kMethods[] = {
      {"Sin", [](const at::Tensor& x) { return x.sin(); }},
      {"Cos", [](const at::Tensor& x) { return x.cos(); }},
      {"Tan", [](const at::Tensor& x) { return x.tan(); }},
      {"Asin", [](const at::Tensor& x) { return x.asin(); }},
      {"Acos", [](const at::Tensor& x) { return x.acos(); }},
      {"Atan", [](const at::Tensor& x) { return x.atan(); }},
      {"Sinh", [](const at::Tensor& x) { return x.sinh(); }},
      {"Cosh", [](const at::Tensor& x) { return x.cosh(); }},
      {"Asinh", [](const at::Tensor& x) { return x.asinh(); }},
      {"Acosh", [](const at::Tensor& x) { return x.acosh(); }},
      {"Atanh", [](const at::Tensor& x) { return x.atanh(); }},
  };
  const std::string_view function = function_of(view);
  for (const auto& [name, method] : kMethods) {
    if (name == function || function.empty()) return unary_kernel(view, method);
  }
  return unsupported(view, "unknown function");
}

Result<Kernel> named_kernel(const NodeView& view) {
  const std::string_view function = function_of(view);
  if (function == "CumSum") return running_sum(view);
  if (function == "Trilu") {
    std::int64_t diagonal = 0;
    if (has_operand(view, 1)) {
      const auto* stored = constant_of(view, 1);
      const auto given = stored != nullptr ? integers_in(*stored) : Sizes();
      if (given.size() != 1) return unsupported(view, "a computed diagonal is not supported");
      diagonal = given[0];
    }
    if (integer_of(view, "upper", 1) != 0) {
      return unary_kernel(view, [diagonal](const at::Tensor& x) { return at::triu(x, diagonal); });
    }
    return unary_kernel(view, [diagonal](const at::Tensor& x) { return at::tril(x, diagonal); });
  }
  if (function == "IsNaN") return unary_kernel(view, [](const at::Tensor& x) { return at::isnan(x); });
  if (function == "IsInf") {
    const bool positive = integer_of(view, "detect_positive", 1) != 0;
    const bool negative = integer_of(view, "detect_negative", 1) != 0;
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    if (positive && negative) return unary_kernel(view, [](const at::Tensor& x) { return at::isinf(x); });
    if (!positive && !negative)
      return unary_kernel(view, [](const at::Tensor& x) { return x.ne(x).logical_and(x.eq(x)); });
    return unary_kernel(
        view, [limit = positive ? kInfinity : -kInfinity](const at::Tensor& x) { return x.eq(limit); });
  }
  if (function == "Bernoulli")
    return unary_kernel(view, [](const at::Tensor& x) { return at::bernoulli(x); });
  if (!function.empty()) return unsupported(view, "not supported");
  if (output_value(view).type == graph::ElementType::boolean) {
    return unary_kernel(view, [](const at::Tensor& x) { return at::isnan(x); });
  }
  return unary_kernel(view, [](const at::Tensor& x) { return at::clone(x); });
}

}  // namespace ergon::profile::torch
