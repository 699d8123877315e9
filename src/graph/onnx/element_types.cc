#include "graph/onnx/element_types.h"

#include <array>
#include <utility>

namespace ergon::graph::onnx {
namespace {

// From onnx.proto. The float8 and int4 types are newer than the onnx release in Debian 12.
constexpr std::array<std::pair<int, ElementType>, 20> kTypes{{
    {1, ElementType::float32},  {2, ElementType::uint8},     {3, ElementType::int8},
    {4, ElementType::uint16},   {5, ElementType::int16},     {6, ElementType::int32},
    {7, ElementType::int64},    {8, ElementType::text},      {9, ElementType::boolean},
    {10, ElementType::float16}, {11, ElementType::float64},  {12, ElementType::uint32},
    {13, ElementType::uint64},  {16, ElementType::bfloat16}, {17, ElementType::float8},
    {18, ElementType::float8},  {19, ElementType::float8},   {20, ElementType::float8},
    {21, ElementType::uint4},   {22, ElementType::int4},
}};

}  // namespace

std::optional<ElementType> element_type_of(std::int64_t data_type) {
  for (const auto& [number, type] : kTypes) {
    if (number == data_type) return type;
  }
  return std::nullopt;
}

std::int32_t data_type_of(ElementType type) {
  for (const auto& [number, known] : kTypes) {
    if (known == type) return number;
  }
  return 0;
}

}  // namespace ergon::graph::onnx
