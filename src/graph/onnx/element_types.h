#pragma once

#include <cstdint>
#include <optional>

#include "graph/element_type.h"

namespace ergon::graph::onnx {

// Conversion of TensorProto.DataType. Accepts types newer than the installed onnx library.
std::optional<ElementType> element_type_of(std::int64_t data_type);
std::int32_t data_type_of(ElementType type);

}  // namespace ergon::graph::onnx
