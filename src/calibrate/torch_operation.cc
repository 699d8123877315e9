#include "calibrate/torch_operation.h"

#include <array>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "graph/builder.h"

namespace ergon::calibrate {
namespace {

// "Name(1, 2, key=(3, 4))": a name, values by position and values by key.
struct Module {
  std::string_view name;
  std::vector<std::string_view> positional;
  std::map<std::string_view, std::string_view> named;

  std::optional<std::string_view> value(std::string_view key) const {
    const auto found = named.find(key);
    return found == named.end() ? std::nullopt : std::optional(found->second);
  }
};

// Splits at commas outside parentheses.
std::vector<std::string_view> arguments_of(std::string_view text) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && text[i] == '(') ++depth;
    if (i < text.size() && text[i] == ')') --depth;
    if (i < text.size() && (text[i] != ',' || depth > 0)) continue;
    if (const auto part = trim(text.substr(begin, i - begin)); !part.empty()) parts.push_back(part);
    begin = i + 1;
  }
  return parts;
}

std::optional<Module> module_of(std::string_view text) {
  const auto open = text.find('(');
  if (open == std::string_view::npos || !text.ends_with(')')) return std::nullopt;
  Module module{text.substr(0, open), {}, {}};
  for (const std::string_view part : arguments_of(text.substr(open + 1, text.size() - open - 2))) {
    const auto equals = part.find('=');
    if (equals == std::string_view::npos) {
      module.positional.push_back(part);
    } else {
      module.named.emplace(part.substr(0, equals), part.substr(equals + 1));
    }
  }
  return module;
}

// Integers of "(7, 7)" or "7"; absent if one is below `min`.
std::optional<std::vector<std::int64_t>> integers_of(std::string_view text, std::int64_t min) {
  if (text.starts_with('(') && text.ends_with(')')) text = text.substr(1, text.size() - 2);
  std::vector<std::int64_t> numbers;
  for (const std::string_view part : arguments_of(text)) {
    const auto number = parse_int64(part);
    if (!number || *number < min) return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

std::optional<graph::Extent> plane_of(const Module& module, std::string_view key, std::int64_t otherwise) {
  const auto text = module.value(key);
  if (!text) return graph::Extent::same(2, otherwise);
  const auto numbers = integers_of(*text, 0);
  if (!numbers || numbers->empty() || numbers->size() > 2) return std::nullopt;
  return numbers->size() == 1 ? graph::Extent::same(2, numbers->front()) : graph::Extent(*numbers);
}

std::optional<graph::Window> window_of(const Module& module) {
  const auto kernel = plane_of(module, "kernel_size", 1), stride = plane_of(module, "stride", 1);
  const auto padding = plane_of(module, "padding", 0), dilation = plane_of(module, "dilation", 1);
  if (!kernel || !stride || !padding || !dilation) return std::nullopt;
  return graph::Window{*kernel, *stride, *dilation, *padding, *padding};
}

bool is_false(const Module& module, std::string_view key) { return module.value(key) == "False"; }

std::optional<std::int64_t> integer(std::optional<std::string_view> text, std::int64_t otherwise) {
  return text ? parse_int64(*text) : otherwise;
}

std::optional<graph::Operation> convolution_of(const Module& module) {
  const auto window = window_of(module);
  const auto groups = integer(module.value("groups"), 1);
  if (!window || !groups || module.positional.size() < 2) return std::nullopt;
  const auto out = parse_int64(module.positional[1]);
  if (!out) return std::nullopt;
  return graph::Convolution{*window, *out, *groups, !is_false(module, "bias")};
}

std::optional<graph::Operation> pool_of(const Module& module, graph::PoolKind kind) {
  const auto window = window_of(module);
  if (!window) return std::nullopt;
  return graph::Pool{kind, *window, module.value("ceil_mode") == "True"};
}

std::optional<graph::Operation> adaptive_pool_of(const Module& module) {
  const auto output = plane_of(module, "output_size", 1);
  if (!output) return std::nullopt;
  return graph::AdaptivePool{graph::PoolKind::average, *output};
}

std::optional<graph::Operation> linear_of(const Module& module) {
  const auto out = integer(module.value("out_features"), 0);
  if (!out) return std::nullopt;
  return graph::Dense{*out, !is_false(module, "bias")};
}

std::optional<graph::Operation> layer_norm_of(const Module& module) {
  if (module.positional.empty()) return std::nullopt;
  const auto axes = integers_of(module.positional[0], 1);
  if (!axes || axes->empty()) return std::nullopt;
  return graph::LayerNorm{axes->size()};
}

// A dropout with probability 0 is the identity.
std::optional<graph::Operation> dropout_of(const Module& module) {
  const auto p = module.value("p");
  if (p && parse_double(*p) == 0.0) return graph::Identity{};
  return graph::Dropout{};
}

std::optional<graph::Operation> operation_of(const Module& module) {
  constexpr std::array<std::pair<std::string_view, graph::Function>, 8> kFunctions{{
      {"ReLU", graph::Function::relu},
      {"ReLU6", graph::Function::relu6},
      {"GELU", graph::Function::gelu},
      {"SiLU", graph::Function::swish},
      {"Sigmoid", graph::Function::sigmoid},
      {"Hardswish", graph::Function::hard_swish},
      {"Hardsigmoid", graph::Function::hard_sigmoid},
      {"Tanh", graph::Function::tanh},
  }};
  for (const auto& [name, function] : kFunctions) {
    if (module.name == name) return graph::Elementwise{function};
  }
  if (module.name == "Conv2d") return convolution_of(module);
  if (module.name == "Linear") return linear_of(module);
  if (module.name == "BatchNorm2d") return graph::BatchNorm{};
  if (module.name == "LayerNorm") return layer_norm_of(module);
  if (module.name == "MaxPool2d") return pool_of(module, graph::PoolKind::max);
  if (module.name == "AvgPool2d") return pool_of(module, graph::PoolKind::average);
  if (module.name == "AdaptiveAvgPool2d") return adaptive_pool_of(module);
  if (module.name == "StochasticDepth" || module.name == "Dropout") return dropout_of(module);
  return std::nullopt;
}

// Checks the channels or features that the module declares against the input shape.
Result<> check_extents(const Module& module, std::span<const std::int64_t> sizes, std::string_view text) {
  std::optional<std::vector<std::int64_t>> declared;
  std::size_t axis = 1;
  if (module.name == "Conv2d" || module.name == "BatchNorm2d") {
    if (module.positional.empty()) return {};
    declared = integers_of(module.positional[0], 1);
  } else if (module.name == "Linear") {
    const auto features = module.value("in_features");
    if (!features) return {};
    declared = integers_of(*features, 1);
    axis = sizes.size() - 1;
  } else if (module.name == "LayerNorm") {
    declared = integers_of(module.positional[0], 1);
    axis = sizes.size() - 1;
  } else {
    return {};
  }
  if (!declared || declared->empty())
    return fail(Errc::invalid_input, "\"{}\" has an invalid input size", printable(text));
  if (axis < sizes.size() && sizes[axis] == declared->back()) return {};
  return fail(Errc::invalid_input, "\"{}\" expects size {} in input dimension {}", printable(text),
              declared->back(), axis);
}

}  // namespace

Result<TorchOperation> torch_operation(std::string_view text, std::string_view extents) {
  const auto module = module_of(trim(text));
  if (!module)
    return fail(Errc::invalid_input, "\"{}\" is not a module as PyTorch prints it", printable(text));
  const auto operation = operation_of(*module);
  if (!operation) return fail(Errc::invalid_input, "\"{}\" is not a supported module", printable(text));
  const auto sizes = integers_of(trim(extents), 1);
  if (!sizes || sizes->empty() || sizes->size() > graph::Shape::kMaxRank)
    return fail(Errc::invalid_input, "\"{}\" is not a tensor shape", printable(extents));
  if (const auto fits = check_extents(*module, *sizes, text); !fits) return fits.error();
  graph::Shape shape{graph::Dim::batch()};
  for (std::size_t i = 1; i < sizes->size(); ++i) shape.push_back({(*sizes)[i]});
  if (shape.rank() == 4) shape = shape.as_image();
  graph::Builder build("operation", std::string(module->name));
  const auto input = build.input("input", "Input", shape);
  const std::array<std::int64_t, 1> one{1};
  const auto learned =
      build.add("before", "Add", graph::Arithmetic{graph::Combine::add, graph::Shape::fixed(one)}, {input});
  const auto output = build.add(std::string(module->name), module->name, *operation, {learned});
  auto network = build.finish({output});
  if (!network) return network.error().in(printable(text));
  return TorchOperation{std::move(*network), sizes->front()};
}

}  // namespace ergon::calibrate
