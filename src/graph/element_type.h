#pragma once

#include <cstdint>
#include <string_view>

#include "graph/count.h"

namespace ergon::graph {

enum class ElementType : std::uint8_t {
  float64,
  float32,
  float16,
  bfloat16,
  float8,
  int64,
  int32,
  int16,
  int8,
  int4,
  uint64,
  uint32,
  uint16,
  uint8,
  uint4,
  boolean,
  text,
};

std::string_view name_of(ElementType type);

bool is_floating(ElementType type);

// Bytes of densely packed elements, rounded up to whole bytes (int4 packs two per byte). A string counts as
// an 8-byte pointer.
Count bytes_of(Count elements, ElementType type);

}  // namespace ergon::graph
