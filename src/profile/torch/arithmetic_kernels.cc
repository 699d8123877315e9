// Elementwise operations with several operands. An operand is a computed tensor, a weight, a constant tensor
// or a number. Numbers stay on the processor, as in ATen.

#include <ATen/ScalarOps.h>
#include <ATen/ops/bitwise_and.h>
#include <ATen/ops/bitwise_left_shift.h>
#include <ATen/ops/bitwise_or.h>
#include <ATen/ops/bitwise_right_shift.h>
#include <ATen/ops/bitwise_xor.h>
#include <ATen/ops/fmod.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/minimum.h>
#include <ATen/ops/pow.h>
#include <ATen/ops/remainder.h>
#include <ATen/ops/where.h>
#include <algorithm>

#include "profile/torch/families.h"
#include "profile/torch/operands.h"
#include "profile/torch/parts.h"
#include "profile/torch/scatter.h"

namespace ergon::profile::torch {
namespace {

using graph::Combine;
using Method = at::Tensor (*)(const at::Tensor&, const at::Tensor&);

Method comparison(std::string_view function) {
  if (function == "Equal") return [](const at::Tensor& a, const at::Tensor& b) { return a.eq(b); };
  if (function == "Less") return [](const at::Tensor& a, const at::Tensor& b) { return a.lt(b); };
  if (function == "LessOrEqual") return [](const at::Tensor& a, const at::Tensor& b) { return a.le(b); };
  if (function == "GreaterOrEqual") return [](const at::Tensor& a, const at::Tensor& b) { return a.ge(b); };
  return [](const at::Tensor& a, const at::Tensor& b) { return a.gt(b); };
}

Method logic(std::string_view function) {
  if (function == "Or") return [](const at::Tensor& a, const at::Tensor& b) { return a.logical_or(b); };
  if (function == "Xor") return [](const at::Tensor& a, const at::Tensor& b) { return a.logical_xor(b); };
  return [](const at::Tensor& a, const at::Tensor& b) { return a.logical_and(b); };
}

Method bits(const NodeView& view) {
  const std::string_view function = function_of(view);
  if (function == "BitwiseOr")
    return [](const at::Tensor& a, const at::Tensor& b) { return at::bitwise_or(a, b); };
  if (function == "BitwiseXor")
    return [](const at::Tensor& a, const at::Tensor& b) { return at::bitwise_xor(a, b); };
  if (function == "BitwiseAnd")
    return [](const at::Tensor& a, const at::Tensor& b) { return at::bitwise_and(a, b); };
  if (word_of(view, "direction", "LEFT") == "RIGHT") {
    return [](const at::Tensor& a, const at::Tensor& b) { return at::bitwise_right_shift(a, b); };
  }
  return [](const at::Tensor& a, const at::Tensor& b) { return at::bitwise_left_shift(a, b); };
}

Method method_of(const NodeView& view, Combine combine) {
  const bool whole = !graph::is_floating(output_value(view).type);
  switch (combine) {
    case Combine::add:
    case Combine::mean:
      return [](const at::Tensor& a, const at::Tensor& b) { return a.add(b); };
    case Combine::subtract:
      return [](const at::Tensor& a, const at::Tensor& b) { return a.sub(b); };
    case Combine::multiply:
      // A slope that the network computes.
      if (function_of(view) == "PRelu") {
        return [](const at::Tensor& a, const at::Tensor& b) { return at::where(a.gt(0), a, a.mul(b)); };
      }
      return [](const at::Tensor& a, const at::Tensor& b) { return a.mul(b); };
    case Combine::divide:
      if (whole) return [](const at::Tensor& a, const at::Tensor& b) { return a.div(b, "trunc"); };
      return [](const at::Tensor& a, const at::Tensor& b) { return a.div(b); };
    case Combine::power:
      // Powers of integers are integers.
      return [](const at::Tensor& a, const at::Tensor& b) {
        const at::Tensor power = at::pow(a, b);
        return a.dim() > 0 && !a.is_floating_point() ? power.to(a.scalar_type()) : power;
      };
    case Combine::modulo:
      if (integer_of(view, "fmod", 0) != 0) {
        return [](const at::Tensor& a, const at::Tensor& b) { return at::fmod(a, b); };
      }
      return [](const at::Tensor& a, const at::Tensor& b) { return at::remainder(a, b); };
    case Combine::minimum:
      return [](const at::Tensor& a, const at::Tensor& b) { return at::minimum(a, b); };
    case Combine::maximum:
      return [](const at::Tensor& a, const at::Tensor& b) { return at::maximum(a, b); };
    case Combine::compare:
      return comparison(function_of(view));
    case Combine::logical:
      return logic(function_of(view));
    case Combine::shift:
      return bits(view);
    case Combine::where:
      break;
  }
  return nullptr;
}

// Adds to or multiplies the first operand in place.
std::optional<void (*)(at::Tensor&, const at::Tensor&)> overwriting(const NodeView& view, Combine combine) {
  if (!may_overwrite(view) || input_sizes(view) != output_sizes(view)) return std::nullopt;
  if (combine == Combine::add) return [](at::Tensor& a, const at::Tensor& b) { a.add_(b); };
  if (combine == Combine::subtract) return [](at::Tensor& a, const at::Tensor& b) { a.sub_(b); };
  return std::nullopt;
}

// ATen has separate kernels for powers with a constant exponent.
std::optional<at::Scalar> plain_exponent(Combine combine, const std::vector<Operand>& operands) {
  if (combine != Combine::power || operands.size() != 2 || !operands[1].is_number()) return std::nullopt;
  return operands[1].number();
}

Kernel fold(const NodeView& view, std::vector<Operand> operands, Method method, bool mean) {
  const auto count = static_cast<double>(operands.size());
  return [=, out = output_id(view), operands = std::move(operands)](Registers& r) mutable {
    const at::Tensor& like = reference_tensor(operands, r);
    at::Tensor result = operands[0].in(r, like);
    for (std::size_t i = 1; i < operands.size(); ++i) result = method(result, operands[i].in(r, like));
    r.values[out] = mean ? result.div(count) : std::move(result);
  };
}

}  // namespace

Result<Kernel> kernel_for(const NodeView& view, const graph::Arithmetic& op) {
  if (is_scatter(view)) return scatter_kernel(view);
  auto found = operands_of(view, op);
  if (!found) return found.error();
  std::vector<Operand> operands = std::move(*found);
  const std::size_t out = output_id(view);
  if (op.combine == Combine::where) {
    if (operands.size() != 3) return unsupported(view, fmt::format("{} operands", operands.size()));
    for (Operand& operand : operands) operand.move_to_device(view.precision);
    return Kernel([out, operands = std::move(operands)](Registers& r) mutable {
      const at::Tensor& like = reference_tensor(operands, r);
      r.values[out] = at::where(operands[0].in(r, like), operands[1].in(r, like), operands[2].in(r, like));
    });
  }
  if (const auto exponent = plain_exponent(op.combine, operands)) {
    return Kernel([out, base = operands[0], exponent = *exponent](Registers& r) mutable {
      const at::Tensor& x = base.tensor(r);
      r.values[out] = at::pow(x, exponent).to(x.scalar_type());
    });
  }
  const Method method = method_of(view, op.combine);
  if (operands.size() != 2 || !operands[0].is_dynamic()) {
    return fold(view, std::move(operands), method, op.combine == Combine::mean);
  }
  const bool mean = op.combine == Combine::mean;
  if (mean) return fold(view, std::move(operands), method, true);
  if (const auto overwrite = overwriting(view, op.combine);
      overwrite && operands[0].is_value(input_id(view, 0)) && !operands[1].is_value(input_id(view, 0))) {
    return Kernel(
        [out, in = input_id(view, 0), other = operands[1], overwrite = *overwrite](Registers& r) mutable {
          at::Tensor x = std::move(r.values[in]);
          overwrite(x, other.in(r, x));
          r.values[out] = std::move(x);
        });
  }
  return Kernel([out, method, first = operands[0], second = operands[1]](Registers& r) mutable {
    const at::Tensor& x = first.tensor(r);
    r.values[out] = method(x, second.in(r, x));
  });
}

}  // namespace ergon::profile::torch
