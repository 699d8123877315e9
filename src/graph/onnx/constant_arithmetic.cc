// Arithmetic on constants, in double precision or 64-bit integers, then rounded to the type. The results of
// +, -, *, / and sqrt on fp32 and fp16 are correctly rounded.

#include "graph/onnx/constant_arithmetic.h"

#include <algorithm>
#include <cmath>

#include "graph/onnx/element_types.h"
#include "graph/onnx/elements.h"
#include "graph/onnx/strided.h"

namespace ergon::graph::onnx {
namespace {

using Inputs = std::span<const std::shared_ptr<const StoredTensor>>;
using Calculated = std::optional<StoredTensor>;

struct Operator {
  std::string_view type;
  std::size_t inputs;
};

constexpr std::size_t kAllInputs = SIZE_MAX;

constexpr Operator kMoveOperators[] = {{"Identity", 1},        {"Reshape", 1},   {"Flatten", 1},
                                       {"Squeeze", 1},         {"Unsqueeze", 1}, {"Transpose", 1},
                                       {"Slice", 1},           {"Expand", 1},    {"Trilu", 1},
                                       {"Concat", kAllInputs}, {"Gather", 2},    {"ConstantOfShape", 0}};

struct Unary {
  std::string_view type;
  double (*real)(double);
};

constexpr Unary kUnary[] = {
    {"Neg", [](double a) { return -a; }},
    {"Abs", [](double a) { return std::abs(a); }},
    {"Sqrt", [](double a) { return std::sqrt(a); }},
    {"Reciprocal", [](double a) { return 1 / a; }},
    {"Exp", [](double a) { return std::exp(a); }},
    {"Log", [](double a) { return std::log(a); }},
    {"Sin", [](double a) { return std::sin(a); }},
    {"Cos", [](double a) { return std::cos(a); }},
    {"Floor", [](double a) { return std::floor(a); }},
    {"Ceil", [](double a) { return std::ceil(a); }},
};

using OptionalInteger = std::optional<std::int64_t>;

std::int64_t wrapped(std::uint64_t number) { return static_cast<std::int64_t>(number); }
std::uint64_t bits(std::int64_t number) { return static_cast<std::uint64_t>(number); }

struct Binary {
  std::string_view type;
  double (*real)(double, double);
  OptionalInteger (*whole)(std::int64_t, std::int64_t);
  bool truth = false;  // the result is boolean
};

constexpr Binary kBinary[] = {
    {"Add", [](double a, double b) { return a + b; },
     [](std::int64_t a, std::int64_t b) -> OptionalInteger { return wrapped(bits(a) + bits(b)); }},
    {"Sub", [](double a, double b) { return a - b; },
     [](std::int64_t a, std::int64_t b) -> OptionalInteger { return wrapped(bits(a) - bits(b)); }},
    {"Mul", [](double a, double b) { return a * b; },
     [](std::int64_t a, std::int64_t b) -> OptionalInteger { return wrapped(bits(a) * bits(b)); }},
    {"Div", [](double a, double b) { return a / b; },
     [](std::int64_t a, std::int64_t b) -> OptionalInteger {
       if (b == 0 || (a == INT64_MIN && b == -1)) return std::nullopt;
       return a / b;
     }},
    {"Pow", [](double a, double b) { return std::pow(a, b); },
     [](std::int64_t a, std::int64_t b) -> OptionalInteger {
       if (b < 0 || b > 62) return std::nullopt;
       std::uint64_t power = 1;
       for (std::int64_t i = 0; i < b; ++i) power *= bits(a);
       return wrapped(power);
     }},
    {"Min", [](double a, double b) { return std::min(a, b); },
     [](std::int64_t a, std::int64_t b) -> OptionalInteger { return std::min(a, b); }},
    {"Max", [](double a, double b) { return std::max(a, b); },
     [](std::int64_t a, std::int64_t b) -> OptionalInteger { return std::max(a, b); }},
    {"Equal", [](double a, double b) { return a == b ? 1.0 : 0.0; },
     [](std::int64_t a, std::int64_t b) -> OptionalInteger { return a == b; }, true},
    {"Greater", [](double a, double b) { return a > b ? 1.0 : 0.0; },
     [](std::int64_t a, std::int64_t b) -> OptionalInteger { return a > b; }, true},
    {"GreaterOrEqual", [](double a, double b) { return a >= b ? 1.0 : 0.0; },
     [](std::int64_t a, std::int64_t b) -> OptionalInteger { return a >= b; }, true},
    {"Less", [](double a, double b) { return a < b ? 1.0 : 0.0; },
     [](std::int64_t a, std::int64_t b) -> OptionalInteger { return a < b; }, true},
    {"LessOrEqual", [](double a, double b) { return a <= b ? 1.0 : 0.0; },
     [](std::int64_t a, std::int64_t b) -> OptionalInteger { return a <= b; }, true},
    {"And", nullptr, [](std::int64_t a, std::int64_t b) -> OptionalInteger { return a != 0 && b != 0; },
     true},
    {"Or", nullptr, [](std::int64_t a, std::int64_t b) -> OptionalInteger { return a != 0 || b != 0; }, true},
};

template <typename Table>
const auto* named(const Table& table, std::string_view type) {
  const auto found =
      std::find_if(std::begin(table), std::end(table), [&](const auto& entry) { return entry.type == type; });
  return found == std::end(table) ? nullptr : &*found;
}

// Elements of a tensor, broadcast to the sizes.
template <typename Number>
std::optional<std::vector<Number>> broadcast_elements(const std::optional<std::vector<Number>>& numbers,
                                                      const Sizes& from, const Sizes& to) {
  const auto strides = broadcast_strides(from, to);
  if (!numbers || !strides) return std::nullopt;
  if (from == to) return numbers;
  std::vector<Number> result;
  result.reserve(static_cast<std::size_t>(elements_of(to)));
  walk_strided(to, *strides, 0,
               [&](std::int64_t offset) { result.push_back((*numbers)[static_cast<std::size_t>(offset)]); });
  return result;
}

Calculated unary(const Unary& function, const StoredTensor& from) {
  auto numbers = reals_of(from);
  if (numbers) {
    std::transform(numbers->begin(), numbers->end(), numbers->begin(), function.real);
    return stored_reals(from.type, from.sizes, *numbers);
  }
  auto whole = integers_of(from);
  if (!whole || (function.type != "Neg" && function.type != "Abs")) return std::nullopt;
  for (std::int64_t& number : *whole) {
    if (function.type == "Neg" || number < 0) number = wrapped(0 - bits(number));
  }
  return stored_integers(from.type, from.sizes, *whole);
}

Calculated binary(const Binary& function, const StoredTensor& a, const StoredTensor& b, const Sizes& sizes) {
  auto reals = broadcast_elements(reals_of(a), a.sizes, sizes);
  auto others = broadcast_elements(reals_of(b), b.sizes, sizes);
  // The exponent of Pow may have another type than the base.
  if (reals && !others && function.type == "Pow") {
    const auto whole = broadcast_elements(integers_of(b), b.sizes, sizes);
    if (whole) others.emplace(whole->begin(), whole->end());
  }
  if (reals && others && function.real != nullptr) {
    std::transform(reals->begin(), reals->end(), others->begin(), reals->begin(), function.real);
    if (!function.truth) return stored_reals(a.type, sizes, *reals);
    return stored_integers(ElementType::boolean, sizes, {reals->begin(), reals->end()});
  }
  auto whole = broadcast_elements(integers_of(a), a.sizes, sizes);
  const auto other = broadcast_elements(integers_of(b), b.sizes, sizes);
  if (!whole || !other) return std::nullopt;
  for (std::size_t i = 0; i < whole->size(); ++i) {
    const OptionalInteger result = function.whole((*whole)[i], (*other)[i]);
    if (!result) return std::nullopt;
    (*whole)[i] = *result;
  }
  return stored_integers(function.truth ? ElementType::boolean : a.type, sizes, *whole);
}

Calculated cast(const NodeCall& call, const StoredTensor& from) {
  const auto to = element_type_of(call.integer("to", 0));
  if (!to) return std::nullopt;
  if (*to == from.type) return from;
  if (auto whole = integers_of(from)) {
    if (!is_floating(*to)) return stored_integers(*to, from.sizes, *whole);
    return stored_reals(*to, from.sizes, {whole->begin(), whole->end()});
  }
  const auto reals = reals_of(from);
  if (!reals) return std::nullopt;
  if (is_floating(*to)) return stored_reals(*to, from.sizes, *reals);
  std::vector<std::int64_t> whole;
  for (const double real : *reals) {
    if (*to == ElementType::boolean) {
      whole.push_back(real != 0 ? 1 : 0);
      continue;
    }
    if (!(std::abs(real) < 0x1p63)) return std::nullopt;
    whole.push_back(static_cast<std::int64_t>(real));
  }
  return stored_integers(*to, from.sizes, whole);
}

Calculated range(Inputs inputs, const Sizes& sizes) {
  if (sizes.size() != 1) return std::nullopt;
  const auto count = static_cast<std::size_t>(sizes[0]);
  const auto start = reals_of(*inputs[0]);
  const auto step = reals_of(*inputs[2]);
  if (start && step && start->size() == 1 && step->size() == 1) {
    std::vector<double> numbers(count);
    for (std::size_t i = 0; i < count; ++i)
      numbers[i] = start->front() + static_cast<double>(i) * step->front();
    return stored_reals(inputs[0]->type, sizes, numbers);
  }
  const auto first = integers_of(*inputs[0]);
  const auto stride = integers_of(*inputs[2]);
  if (!first || !stride || first->size() != 1 || stride->size() != 1) return std::nullopt;
  std::vector<std::int64_t> numbers(count);
  for (std::size_t i = 0; i < count; ++i)
    numbers[i] = wrapped(bits(first->front()) + i * bits(stride->front()));
  return stored_integers(inputs[0]->type, sizes, numbers);
}

Calculated select_where(Inputs inputs, const Sizes& sizes) {
  const auto truth = broadcast_elements(integers_of(*inputs[0]), inputs[0]->sizes, sizes);
  if (!truth || inputs[1]->type != inputs[2]->type) return std::nullopt;
  const auto pick = [&](auto yes, const auto& no) {
    for (std::size_t i = 0; i < truth->size(); ++i) {
      if ((*truth)[i] == 0) yes[i] = no[i];
    }
    return yes;
  };
  const auto yes = broadcast_elements(reals_of(*inputs[1]), inputs[1]->sizes, sizes);
  const auto no = broadcast_elements(reals_of(*inputs[2]), inputs[2]->sizes, sizes);
  if (yes && no) return stored_reals(inputs[1]->type, sizes, pick(*yes, *no));
  const auto whole_yes = broadcast_elements(integers_of(*inputs[1]), inputs[1]->sizes, sizes);
  const auto whole_no = broadcast_elements(integers_of(*inputs[2]), inputs[2]->sizes, sizes);
  if (!whole_yes || !whole_no) return std::nullopt;
  return stored_integers(inputs[1]->type, sizes, pick(*whole_yes, *whole_no));
}

}  // namespace

std::optional<std::size_t> inputs_computed_with(std::string_view type) {
  if (const auto* found = named(kMoveOperators, type)) return found->inputs;
  if (type == "Cast" || named(kUnary, type) != nullptr) return 1;
  if (named(kBinary, type) != nullptr) return 2;
  if (type == "Range" || type == "Where") return 3;
  return std::nullopt;
}

std::optional<StoredTensor> calculated(const NodeCall& call, Inputs inputs, const Sizes& sizes) {
  const std::string& type = call.type();
  if (type == "Cast") return cast(call, *inputs[0]);
  if (type == "Range") return range(inputs, sizes);
  if (type == "Where") return select_where(inputs, sizes);
  if (const auto* function = named(kUnary, type)) return unary(*function, *inputs[0]);
  const auto* function = named(kBinary, type);
  if (function == nullptr || inputs.size() != 2) return std::nullopt;
  return binary(*function, *inputs[0], *inputs[1], sizes);
}

std::optional<StoredTensor> computed(const NodeCall& call, Inputs inputs, const Sizes& sizes) {
  const auto wanted = inputs_computed_with(call.type());
  if (!wanted || (*wanted != kAllInputs && inputs.size() < *wanted)) return std::nullopt;
  for (std::size_t i = 0; i < std::min(*wanted, inputs.size()); ++i) {
    if (inputs[i] == nullptr) return std::nullopt;
  }
  if (*wanted == kAllInputs && inputs.empty()) return std::nullopt;
  return named(kMoveOperators, call.type()) != nullptr ? moved(call, inputs, sizes)
                                                       : calculated(call, inputs, sizes);
}

}  // namespace ergon::graph::onnx
