#include "graph/element_type.h"

#include <array>

namespace ergon::graph {
namespace {

struct TypeRow {
  ElementType type;
  std::string_view name;
  int bits;
};

constexpr std::array kTypes{
    TypeRow{ElementType::float64, "float64", 64}, TypeRow{ElementType::float32, "float32", 32},
    TypeRow{ElementType::float16, "float16", 16}, TypeRow{ElementType::bfloat16, "bfloat16", 16},
    TypeRow{ElementType::float8, "float8", 8},    TypeRow{ElementType::int64, "int64", 64},
    TypeRow{ElementType::int32, "int32", 32},     TypeRow{ElementType::int16, "int16", 16},
    TypeRow{ElementType::int8, "int8", 8},        TypeRow{ElementType::int4, "int4", 4},
    TypeRow{ElementType::uint64, "uint64", 64},   TypeRow{ElementType::uint32, "uint32", 32},
    TypeRow{ElementType::uint16, "uint16", 16},   TypeRow{ElementType::uint8, "uint8", 8},
    TypeRow{ElementType::uint4, "uint4", 4},      TypeRow{ElementType::boolean, "boolean", 8},
    TypeRow{ElementType::text, "text", 64},
};

const TypeRow& row_of(ElementType type) { return kTypes[static_cast<std::size_t>(type)]; }

}  // namespace

std::string_view name_of(ElementType type) { return row_of(type).name; }

bool is_floating(ElementType type) { return type <= ElementType::float8; }

Count bytes_of(Count elements, ElementType type) {
  const int bits = row_of(type).bits;
  if (bits >= 8) return elements * (bits / 8);
  if (elements.overflowed()) return elements;
  return elements.exact() / 2 + elements.exact() % 2;
}

}  // namespace ergon::graph
