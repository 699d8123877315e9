#include "profile/torch/quantize.h"

#include "profile/torch/parts.h"
#include "profile/torch/stored_tensor.h"

namespace ergon::profile::torch {
namespace {

struct Range {
  std::int64_t min = 0;
  std::int64_t max = 255;
};

std::optional<Range> range_of(graph::ElementType type) {
  using graph::ElementType;
  switch (type) {
    case ElementType::uint4:
      return Range{0, 15};
    case ElementType::int4:
      return Range{-8, 7};
    case ElementType::uint8:
      return Range{0, 255};
    case ElementType::int8:
      return Range{-128, 127};
    case ElementType::uint16:
      return Range{0, 65535};
    case ElementType::int16:
      return Range{-32768, 32767};
    default:
      return std::nullopt;
  }
}

// A scale or zero point, shaped for broadcasting over the input.
Result<Constant> along_axis(const NodeView& view, std::size_t operand, at::ScalarType type) {
  if (has_operand(view, operand) && constant_of(view, operand) == nullptr) {
    return unsupported(view, "a computed scale is not supported");
  }
  const auto* stored = constant_of(view, operand);
  if (stored == nullptr) return Constant();
  auto tensor = to_tensor(*stored);
  if (!tensor) return tensor.error();
  const std::int64_t rank = rank_of(view);
  if (tensor->dim() > 1) return unsupported(view, "block-wise scales are not supported");
  if (tensor->numel() != 1) {
    const std::int64_t axis = integer_of(view, "axis", 1);
    Sizes shape(static_cast<std::size_t>(rank), 1);
    shape[static_cast<std::size_t>(axis < 0 ? axis + rank : axis)] = -1;
    *tensor = tensor->reshape(shape);
  } else {
    *tensor = tensor->reshape({});
  }
  return Constant(tensor->to(type));
}

}  // namespace

Result<Kernel> quantize_kernel(const NodeView& view, const graph::Elementwise& op) {
  const graph::ElementType target = op.to.value_or(output_value(view).type);
  const auto scale = along_axis(view, 1, at::kFloat);
  if (!scale) return scale.error();
  const auto zero = along_axis(view, 2, at::kFloat);
  if (!zero) return zero.error();
  // Without values from a file, any scale has the same cost.
  constexpr double kAnyScale = 0.0625;
  if (graph::is_floating(target)) {
    return unary_kernel(
        view, [scale = *scale, zero = *zero, precision = view.precision](const at::Tensor& x) mutable {
          at::Tensor number = x.to(at::kFloat);
          if (zero.host().defined()) number = number.sub(zero.matching(number));
          number = scale.host().defined() ? number.mul(scale.matching(number)) : number.mul(kAnyScale);
          return number.to(precision);
        });
  }
  const auto range = range_of(target);
  const auto type = scalar_type_of(target);
  if (!range || !type)
    return unsupported(view, fmt::format("quantization to {} is not supported", graph::name_of(target)));
  return unary_kernel(
      view, [scale = *scale, zero = *zero, range = *range, type = *type](const at::Tensor& x) mutable {
        at::Tensor number = x.to(at::kFloat);
        number = scale.host().defined() ? number.div(scale.matching(number)) : number.div(kAnyScale);
        number = number.round();
        if (zero.host().defined()) number = number.add(zero.matching(number));
        return number.clamp(range.min, range.max).to(type);
      });
}

}  // namespace ergon::profile::torch
