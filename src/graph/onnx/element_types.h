#pragma once

#include <cstdint>
#include <optional>

#include "graph/element_type.h"

namespace ergon::graph::onnx {

// TensorProto.DataType as a number, and back. Newer numbers than the library knows are understood as well.
std::optional<ElementType> element_type_of(std::int64_t data_type);
std::int32_t data_type_of(ElementType type);

}  // namespace ergon::graph::onnx
