#include "graph/element_type.h"

#include <array>

namespace ergon::graph {
namespace {

struct Row {
  ElementType type;
  std::string_view name;
  int bits;
};

constexpr std::array kTypes{
    Row{ElementType::float64, "float64", 64}, Row{ElementType::float32, "float32", 32},
    Row{ElementType::float16, "float16", 16}, Row{ElementType::bfloat16, "bfloat16", 16},
    Row{ElementType::float8, "float8", 8},    Row{ElementType::int64, "int64", 64},
    Row{ElementType::int32, "int32", 32},     Row{ElementType::int16, "int16", 16},
    Row{ElementType::int8, "int8", 8},        Row{ElementType::int4, "int4", 4},
    Row{ElementType::uint64, "uint64", 64},   Row{ElementType::uint32, "uint32", 32},
    Row{ElementType::uint16, "uint16", 16},   Row{ElementType::uint8, "uint8", 8},
    Row{ElementType::uint4, "uint4", 4},      Row{ElementType::boolean, "boolean", 8},
    Row{ElementType::text, "text", 64},
};

const Row& row_of(ElementType type) { return kTypes[static_cast<std::size_t>(type)]; }

}  // namespace

std::string_view name_of(ElementType type) { return row_of(type).name; }

std::optional<ElementType> element_type_named(std::string_view name) {
  for (const Row& row : kTypes) {
    if (row.name == name) return row.type;
  }
  return std::nullopt;
}

bool is_floating(ElementType type) { return type <= ElementType::float8; }

Count bytes_of(Count elements, ElementType type) {
  const int bits = row_of(type).bits;
  if (bits >= 8) return elements * (bits / 8);
  if (elements.overflowed()) return elements;
  return elements.exact() / 2 + elements.exact() % 2;
}

}  // namespace ergon::graph
