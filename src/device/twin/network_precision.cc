#include "device/twin/network_precision.h"

#include <map>
#include <set>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "graph/matrix_product.h"

namespace ergon::device {
namespace {

using graph::ElementType;

// Elements of each type. Shapes with more than 64 bits are errors elsewhere.
using ElementsByType = std::map<ElementType, double>;

ElementsByType weights_by_type(const graph::Network& network) {
  ElementsByType elements;
  for (const graph::Node& node : network.nodes) {
    for (const graph::Weight& weight : node.weights)
      if (graph::is_floating(weight.type))
        elements[weight.type] += static_cast<double>(weight.elements().value().value_or(0));
  }
  return elements;
}

ElementsByType tensors_by_type(const graph::Network& network) {
  ElementsByType elements;
  for (const graph::Value& value : network.values)
    if (graph::is_floating(value.type))
      elements[value.type] += static_cast<double>(value.shape.elements(1).value().value_or(0));
  return elements;
}

// Products of wide integers compute positions and lengths; they are rare and small.
bool is_modeled(ElementType type) {
  switch (type) {
    case ElementType::float64:
    case ElementType::float8:
    case ElementType::int16:
    case ElementType::int8:
    case ElementType::int4:
    case ElementType::uint16:
    case ElementType::uint8:
    case ElementType::uint4:
      return false;
    default:
      return true;
  }
}

// Names, in alphabetical order.
std::set<std::string_view> unmodeled_types(const graph::Network& network) {
  std::set<std::string_view> types;
  for (const graph::Node& node : network.nodes) {
    if (const auto type = unmodeled_type(network, node)) types.insert(name_of(*type));
  }
  return types;
}

}  // namespace

Precision default_precision(const graph::Network& network) {
  ElementsByType elements = weights_by_type(network);
  if (elements.empty()) elements = tensors_by_type(network);
  const double half = elements[ElementType::float16], brain = elements[ElementType::bfloat16];
  double others = 0;
  for (const auto& [type, count] : elements) {
    if (type != ElementType::float16 && type != ElementType::bfloat16) others += count;
  }
  if (half > brain && half > others) return Precision::fp16;
  if (brain > others) return Precision::bf16;
  return Precision::tf32;
}

std::optional<ElementType> unmodeled_type(const graph::Network& network, const graph::Node& node) {
  if (const auto* elementwise = std::get_if<graph::Elementwise>(&node.operation)) {
    if (elementwise->function != graph::Function::quantize) return std::nullopt;
    for (const graph::ValueId id : {node.inputs[0], node.outputs[0]}) {
      if (!graph::is_floating(network.values[id].type)) return network.values[id].type;
    }
    return std::nullopt;
  }
  if (!graph::multiplies_matrices(node.operation)) return std::nullopt;
  for (const graph::ValueId id : node.inputs) {
    if (!is_modeled(network.values[id].type)) return network.values[id].type;
  }
  for (const graph::Weight& weight : node.weights) {
    if (weight.role == graph::WeightRole::kernel && !is_modeled(weight.type)) return weight.type;
  }
  return std::nullopt;
}

std::optional<std::string> unmodeled_warning(const graph::Network& network, Precision precision) {
  const auto types = unmodeled_types(network);
  if (types.empty()) return std::nullopt;
  return fmt::format("the speed of {} operations is not modeled; computed as {}", fmt::join(types, ", "),
                     name_of(precision));
}

std::optional<std::string> unmeasured_warning(const graph::Network& network, Precision precision) {
  const auto types = unmodeled_types(network);
  if (types.empty()) return std::nullopt;
  return fmt::format("{} operations are measured as {}", fmt::join(types, ", "), name_of(precision));
}

double stored_bytes(ElementType type, Precision precision) {
  const auto bytes = static_cast<double>(bytes_of(precision));
  constexpr double kSingle = 4, kDouble = 8;
  return type == ElementType::float64 && bytes == kSingle ? kDouble : bytes;
}

}  // namespace ergon::device
