#include <ATen/ops/celu.h>
#include <ATen/ops/clamp.h>
#include <ATen/ops/elu.h>
#include <ATen/ops/erf.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/hardsigmoid.h>
#include <ATen/ops/hardswish.h>
#include <ATen/ops/hardtanh.h>
#include <ATen/ops/leaky_relu.h>
#include <ATen/ops/mish.h>
#include <ATen/ops/prelu.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/selu.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/silu.h>
#include <ATen/ops/softplus.h>
#include <ATen/ops/threshold.h>
#include <ATen/ops/where.h>

#include "profile/step.h"
#include "profile/torch/families.h"
#include "profile/torch/named_functions.h"
#include "profile/torch/parts.h"
#include "profile/torch/quantize.h"
#include "profile/torch/stored_tensor.h"

namespace ergon::profile::torch {
namespace {

using graph::Function;

// In place where allowed.
template <typename InPlace, typename Apart>
Kernel either(const NodeView& view, InPlace in_place, Apart apart) {
  if (!may_overwrite(view)) return unary_kernel(view, std::move(apart));
  return [in = input_id(view, 0), out = output_id(view), in_place = std::move(in_place)](Registers& r) {
    at::Tensor x = std::move(r.values[in]);
    in_place(x);
    r.values[out] = std::move(x);
  };
}

using Method = at::Tensor (*)(const at::Tensor&);

// A bound of a clip: an attribute in old opsets, an operand in new ones.
Result<std::optional<double>> bound(const NodeView& view, const char* name, std::size_t operand) {
  if (view.content->numbers.contains(name)) return std::optional(number_of(view, name, 0));
  if (const auto* stored = constant_of(view, operand)) {
    const auto numbers = numbers_in(*stored);
    if (numbers.size() == 1) return std::optional(numbers[0]);
  }
  if (has_operand(view, operand)) return unsupported(view, "a computed bound is not supported");
  return std::optional<double>();
}

Result<Kernel> clip(const NodeView& view) {
  if (view.content == nullptr) {
    return either(
        view, [](at::Tensor& x) { x.clamp_(-1, 1); }, [](const at::Tensor& x) { return x.clamp(-1, 1); });
  }
  if (function_of(view) == "Shrink") {
    const double bias = number_of(view, "bias", 0);
    const double threshold = number_of(view, "lambd", 0.5);
    return unary_kernel(view, [=](const at::Tensor& x) {
      const at::Tensor above = x.gt(threshold).to(x.scalar_type()).mul(x.sub(bias));
      return above.add(x.lt(-threshold).to(x.scalar_type()).mul(x.add(bias)));
    });
  }
  const auto min = bound(view, "min", 1);
  if (!min) return min.error();
  const auto max = bound(view, "max", 2);
  if (!max) return max.error();
  const auto low = *min;
  const auto high = *max;
  const bool whole = !graph::is_floating(input_value(view, 0).type);
  const auto scalar = [whole](double number) {
    return whole ? at::Scalar(static_cast<std::int64_t>(number)) : at::Scalar(number);
  };
  if (low && high) {
    return unary_kernel(
        view, [a = scalar(*low), b = scalar(*high)](const at::Tensor& x) { return at::clamp(x, a, b); });
  }
  if (low) return unary_kernel(view, [a = scalar(*low)](const at::Tensor& x) { return x.clamp_min(a); });
  if (high) return unary_kernel(view, [b = scalar(*high)](const at::Tensor& x) { return x.clamp_max(b); });
  return unary_kernel(view, [](const at::Tensor& x) { return x; });
}

Result<Kernel> prelu(const NodeView& view) {
  const auto learned = weight_operands_of(view);
  if (learned.empty()) return unsupported(view, "the slopes are missing");
  const TensorSlot slope = slots_of(view, learned)[0];
  const std::size_t in = input_id(view, 0);
  const std::size_t out = output_id(view);
  const Sizes sizes = input_sizes(view);
  std::int64_t numbers = 1;
  for (const std::int64_t size : learned[0].sizes) numbers *= size;
  // One slope, or one per channel (the second axis).
  const std::size_t from_end = learned[0].sizes.size();
  const bool by_channel = sizes.size() >= 2 && from_end == sizes.size() - 1 && numbers == sizes[1] &&
                          learned[0].sizes[0] == sizes[1];
  if (numbers == 1 || by_channel ||
      (sizes.size() >= 2 && from_end == sizes.size() && learned[0].sizes[1] == numbers &&
       numbers == sizes[1])) {
    return Kernel([=](Registers& r) { r.values[out] = at::prelu(r.values[in], slope.in(r).reshape(-1)); });
  }
  return Kernel([=](Registers& r) {
    const at::Tensor& x = r.values[in];
    r.values[out] = at::where(x.gt(0), x, x.mul(slope.in(r)));
  });
}

Result<Kernel> leaky(const NodeView& view) {
  if (function_of(view) == "ThresholdedRelu") {
    return unary_kernel(view, [alpha = number_of(view, "alpha", 1)](const at::Tensor& x) {
      return at::threshold(x, alpha, 0);
    });
  }
  const double slope = number_of(view, "alpha", 0.01);
  return either(
      view, [slope](at::Tensor& x) { at::leaky_relu_(x, slope); },
      [slope](const at::Tensor& x) { return at::leaky_relu(x, slope); });
}

Result<Kernel> hard_sigmoid(const NodeView& view) {
  if (view.content == nullptr) {
    return either(
        view, [](at::Tensor& x) { at::hardsigmoid_(x); },
        [](const at::Tensor& x) { return at::hardsigmoid(x); });
  }
  const double alpha = number_of(view, "alpha", 0.2);
  const double beta = number_of(view, "beta", 0.5);
  return unary_kernel(view, [=](const at::Tensor& x) { return x.mul(alpha).add(beta).clamp(0, 1); });
}

// A cast to a floating-point type gives the precision of the run; values are rounded to the type in the file.
Result<Kernel> cast(const NodeView& view, const graph::Elementwise& op) {
  const graph::ElementType target = op.to.value_or(output_value(view).type);
  const auto type = scalar_type_of(target);
  if (!type) return unsupported(view, fmt::format("a cast to {} is not supported", graph::name_of(target)));
  if (!graph::is_floating(target)) {
    return unary_kernel(view, [type = *type](const at::Tensor& x) { return x.to(type); });
  }
  const bool rounds = view.content != nullptr && view.precision == at::kFloat &&
                      (*type == at::kHalf || *type == at::kBFloat16) && input_value(view, 0).type != target;
  return unary_kernel(view, [rounds, type = *type, precision = view.precision](const at::Tensor& x) {
    return rounds ? x.to(type).to(precision) : x.to(precision);
  });
}

// 0.5 x (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))), as in transformers' NewGELUActivation.
Kernel new_gelu(const NodeView& view) {
  return unary_kernel(view, [](const at::Tensor& x) {
    constexpr double kRoot = 0.7978845608028654;
    return x.mul(0.5).mul(x.pow(3.0).mul(0.044715).add(x).mul(kRoot).tanh().add(1.0));
  });
}

Result<Kernel> gelu(const NodeView& view) {
  if (view.content == nullptr && view.network.layers[view.node.layer].type == kNewGelu) return new_gelu(view);
  // std::string converts to the argument type of all supported ATen versions.
  const std::string approximate(word_of(view, "approximate", "none"));
  return unary_kernel(view, [approximate](const at::Tensor& x) { return at::gelu(x, approximate); });
}

}  // namespace

Result<Kernel> kernel_for(const NodeView& view, const graph::Elementwise& op) {
  const auto number = [&](const char* name, double otherwise) { return number_of(view, name, otherwise); };
  const auto plain = [&](Method method) -> Result<Kernel> { return unary_kernel(view, method); };
  switch (op.function) {
    case Function::relu:
      return either(
          view, [](at::Tensor& x) { at::relu_(x); }, [](const at::Tensor& x) { return at::relu(x); });
    case Function::relu6:
      return either(
          view, [](at::Tensor& x) { at::hardtanh_(x, 0, 6); },
          [](const at::Tensor& x) { return at::hardtanh(x, 0, 6); });
    case Function::leaky_relu:
      return leaky(view);
    case Function::prelu:
      return prelu(view);
    case Function::elu:
      return unary_kernel(view, [a = number("alpha", 1)](const at::Tensor& x) { return at::elu(x, a); });
    case Function::selu: {
      if (view.content == nullptr) return plain([](const at::Tensor& x) { return at::selu(x); });
      // The values of the file are single precision.
      const double alpha = number("alpha", 1.67326319217681884765625);
      const double gamma = number("gamma", 1.05070102214813232421875);
      return unary_kernel(view, [=](const at::Tensor& x) { return at::elu(x, alpha, gamma); });
    }
    case Function::celu:
      return unary_kernel(view, [a = number("alpha", 1)](const at::Tensor& x) { return at::celu(x, a); });
    case Function::sigmoid:
      return plain([](const at::Tensor& x) { return at::sigmoid(x); });
    case Function::hard_sigmoid:
      return hard_sigmoid(view);
    case Function::swish:
      return either(
          view, [](at::Tensor& x) { at::silu_(x); }, [](const at::Tensor& x) { return at::silu(x); });
    case Function::hard_swish:
      return either(
          view, [](at::Tensor& x) { at::hardswish_(x); },
          [](const at::Tensor& x) { return at::hardswish(x); });
    case Function::gelu:
      return gelu(view);
    case Function::mish:
      return plain([](const at::Tensor& x) { return at::mish(x); });
    case Function::tanh:
      return plain([](const at::Tensor& x) { return x.tanh(); });
    case Function::softplus:
      return plain([](const at::Tensor& x) { return at::softplus(x); });
    case Function::softsign:
      return plain([](const at::Tensor& x) { return x.div(x.abs().add(1)); });
    case Function::clip:
      return clip(view);
    case Function::exp:
      return plain([](const at::Tensor& x) { return x.exp(); });
    case Function::log:
      return plain([](const at::Tensor& x) { return x.log(); });
    case Function::sqrt:
      return plain([](const at::Tensor& x) { return x.sqrt(); });
    case Function::reciprocal:
      return plain([](const at::Tensor& x) { return x.reciprocal(); });
    case Function::erf:
      return plain([](const at::Tensor& x) { return at::erf(x); });
    case Function::abs:
      return plain([](const at::Tensor& x) { return x.abs(); });
    case Function::negative:
      return plain([](const at::Tensor& x) { return x.neg(); });
    case Function::floor:
      return plain([](const at::Tensor& x) { return x.floor(); });
    case Function::ceil:
      return plain([](const at::Tensor& x) { return x.ceil(); });
    case Function::round:
      return plain([](const at::Tensor& x) { return x.round(); });
    case Function::sign:
      return plain([](const at::Tensor& x) { return x.sign(); });
    case Function::trigonometric:
      return trigonometric_kernel(view);
    case Function::logical_not:
      if (output_value(view).type != graph::ElementType::boolean) {
        return plain([](const at::Tensor& x) { return x.bitwise_not(); });
      }
      return plain([](const at::Tensor& x) { return x.logical_not(); });
    case Function::cast:
      return cast(view, op);
    case Function::quantize:
      return quantize_kernel(view, op);
    case Function::other:
      return named_kernel(view);
  }
  return unsupported(view, "the function is not supported");
}

}  // namespace ergon::profile::torch
