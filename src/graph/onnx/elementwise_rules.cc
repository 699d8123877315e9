#include <algorithm>

#include "graph/onnx/element_types.h"
#include "graph/onnx/rules.h"

namespace ergon::graph::onnx {
namespace {

template <Function F>
Result<Lowered> unary(const NodeCall& call) {
  const auto shape = call.shape(0);
  if (!shape) return shape.error();
  return Lowered{Elementwise{F}, {0}, {}, {}};
}

// Comparisons return booleans.
template <Function F>
Result<Lowered> test(const NodeCall& call) {
  auto lowered = unary<F>(call);
  if (lowered) lowered->types = {ElementType::boolean};
  return lowered;
}

Result<Lowered> cast(const NodeCall& call) {
  const auto shape = call.shape(0);
  if (!shape) return shape.error();
  std::optional<ElementType> to;
  if (call.type() == "CastLike") {
    if (call.has(1)) to = call.in(1).type;
  } else {
    to = element_type_of(call.integer("to", 0));
  }
  if (!to) return fail(Errc::invalid_input, "cast to an unknown element type");
  return Lowered{Elementwise{Function::cast, to, std::nullopt}, {0}, {}, {*to}};
}

Result<Lowered> clip(const NodeCall& call) {
  // Exporters write ReLU6 as Clip; its bounds are attributes or inputs.
  const auto bound = [&](std::size_t i, const char* name) -> std::optional<double> {
    if (const auto* attribute = call.attribute(name)) return attribute->f();
    if (call.has(i) && call.in(i).reals && call.in(i).reals->size() == 1) return call.in(i).reals->front();
    return std::nullopt;
  };
  const bool relu6 = bound(1, "min") == 0.0 && bound(2, "max") == 6.0;
  return relu6 ? unary<Function::relu6>(call) : unary<Function::clip>(call);
}

Result<Lowered> prelu(const NodeCall& call) {
  const auto shape = call.shape(0);
  if (!shape) return shape.error();
  const auto slope = call.shape(1);
  if (!slope) return slope.error();
  if (call.in(1).constant()) {
    return Lowered{Elementwise{Function::prelu, std::nullopt, *slope}, {0}, {{1, WeightRole::other}}, {}};
  }
  return Lowered{Arithmetic{Combine::multiply}, {0, 1}, {}, {}};
}

// Any number of operands. One constant is a scalar or a weight; further constants become Parameter
// operations.
Result<Lowered> combined(const NodeCall& call, Combine combine) {
  Lowered lowered{Arithmetic{combine}, {}, {}, {}};
  auto& arithmetic = std::get<Arithmetic>(lowered.operation);
  bool flows = false;
  std::size_t rank = 0;  // maximum of the run-time operands
  for (std::size_t i = 0; i < call.size(); ++i) {
    if (!call.has(i) || call.in(i).constant()) continue;
    flows = true;
    if (call.in(i).shape) rank = std::max(rank, call.in(i).shape->rank());
  }
  for (std::size_t i = 0; i < call.size(); ++i) {
    if (!call.has(i)) return fail(Errc::invalid_input, "operand {} is missing", i);
    const auto shape = call.shape(i);
    if (!shape) return shape.error();
    const bool constant = flows && call.in(i).constant();
    if (constant && call.in(i).scalar() && shape->rank() <= rank) {
      arithmetic.scalar = true;
    } else if (constant && !arithmetic.weight) {
      arithmetic.weight = *shape;
      lowered.weights.push_back({i, WeightRole::other});
    } else {
      lowered.operands.push_back(i);
    }
  }
  if (lowered.operands.empty()) return fail(Errc::invalid_input, "the operation has no operands");
  // The result has the type of a run-time operand; for Where, not of the condition.
  const std::size_t typed = combine == Combine::where && call.size() > 1 ? 1 : lowered.operands[0];
  lowered.types = {combine == Combine::compare || combine == Combine::logical ? ElementType::boolean
                                                                              : call.in(typed).type};
  return lowered;
}

template <Combine C>
Result<Lowered> combine(const NodeCall& call) {
  constexpr std::size_t kOperands = C == Combine::where ? 3 : 2;
  if (call.size() != kOperands) {
    return fail(Errc::invalid_input, "{} operands; expected {}", call.size(), kOperands);
  }
  return combined(call, C);
}

// Any number of operands.
template <Combine C>
Result<Lowered> combine_all(const NodeCall& call) {
  return combined(call, C);
}

Result<Lowered> softmax(const NodeCall& call) {
  const auto shape = call.shape(0);
  if (!shape) return shape.error();
  return Lowered{Softmax{call.integer("axis", call.opset() < 13 ? 1 : -1)}, {0}, {}, {}};
}

template <ElementType T>
Result<Lowered> quantize(const NodeCall& call) {
  const auto shape = call.shape(0);
  if (!shape) return shape.error();
  ElementType to = T;
  if (call.type() == "DequantizeLinear" && call.has(1)) to = call.in(1).type;
  if (call.type() == "QuantizeLinear" && call.has(2)) to = call.in(2).type;
  return Lowered{Elementwise{Function::quantize, to, std::nullopt}, {0}, {}, {to}};
}

}  // namespace

std::vector<NamedRule> elementwise_rules() {
  using F = Function;
  using C = Combine;
  return {
      {"Relu", unary<F::relu>},
      {"LeakyRelu", unary<F::leaky_relu>},
      {"ThresholdedRelu", unary<F::leaky_relu>},
      {"PRelu", prelu},
      {"Elu", unary<F::elu>},
      {"Selu", unary<F::selu>},
      {"Celu", unary<F::celu>},
      {"Sigmoid", unary<F::sigmoid>},
      {"HardSigmoid", unary<F::hard_sigmoid>},
      {"HardSwish", unary<F::hard_swish>},
      {"Gelu", unary<F::gelu>},
      {"Mish", unary<F::mish>},
      {"Tanh", unary<F::tanh>},
      {"Softplus", unary<F::softplus>},
      {"Softsign", unary<F::softsign>},
      {"Shrink", unary<F::clip>},
      {"Clip", clip},
      {"Exp", unary<F::exp>},
      {"Log", unary<F::log>},
      {"Sqrt", unary<F::sqrt>},
      {"Reciprocal", unary<F::reciprocal>},
      {"Erf", unary<F::erf>},
      {"Abs", unary<F::abs>},
      {"Neg", unary<F::negative>},
      {"Floor", unary<F::floor>},
      {"Ceil", unary<F::ceil>},
      {"Round", unary<F::round>},
      {"Sign", unary<F::sign>},
      {"Sin", unary<F::trigonometric>},
      {"Cos", unary<F::trigonometric>},
      {"Tan", unary<F::trigonometric>},
      {"Asin", unary<F::trigonometric>},
      {"Acos", unary<F::trigonometric>},
      {"Atan", unary<F::trigonometric>},
      {"Sinh", unary<F::trigonometric>},
      {"Cosh", unary<F::trigonometric>},
      {"Asinh", unary<F::trigonometric>},
      {"Acosh", unary<F::trigonometric>},
      {"Atanh", unary<F::trigonometric>},
      {"Not", test<F::logical_not>},
      {"IsNaN", test<F::other>},
      {"IsInf", test<F::other>},
      {"BitwiseNot", unary<F::logical_not>},
      {"CumSum", unary<F::other>},
      {"Trilu", unary<F::other>},
      {"ReverseSequence", unary<F::other>},
      {"Bernoulli", unary<F::other>},
      {"Cast", cast},
      {"CastLike", cast},
      {"Add", combine<C::add>},
      {"Sum", combine_all<C::add>},
      {"Sub", combine<C::subtract>},
      {"Mul", combine<C::multiply>},
      {"Div", combine<C::divide>},
      {"Pow", combine<C::power>},
      {"Mod", combine<C::modulo>},
      {"Min", combine_all<C::minimum>},
      {"Max", combine_all<C::maximum>},
      {"Mean", combine_all<C::mean>},
      {"Equal", combine<C::compare>},
      {"Greater", combine<C::compare>},
      {"GreaterOrEqual", combine<C::compare>},
      {"Less", combine<C::compare>},
      {"LessOrEqual", combine<C::compare>},
      {"And", combine<C::logical>},
      {"Or", combine<C::logical>},
      {"Xor", combine<C::logical>},
      {"BitwiseAnd", combine<C::shift>},
      {"BitwiseOr", combine<C::shift>},
      {"BitwiseXor", combine<C::shift>},
      {"BitShift", combine<C::shift>},
      {"Where", combine<C::where>},
      {"Softmax", softmax},
      {"LogSoftmax", softmax},
      {"Hardmax", softmax},
      {"QuantizeLinear", quantize<ElementType::uint8>},
      {"DequantizeLinear", quantize<ElementType::float32>},
  };
}

}  // namespace ergon::graph::onnx
