#pragma once

#include <map>
#include <onnx/onnx_pb.h>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "graph/element_type.h"
#include "graph/shape.h"

namespace ergon::graph::onnx {

// A shape as a file declares it: numbers, names, and holes.
struct DeclaredShape {
  struct Extent {
    std::optional<std::int64_t> size;
    std::string name;  // of a symbolic dimension; empty for a hole
  };
  std::vector<Extent> extents;
  ElementType type = ElementType::float32;
};

// Nothing when the value is no tensor or has no shape.
std::optional<DeclaredShape> declared_shape(const ::onnx::ValueInfoProto& value);

// What the onnx library finds out about the values of a model by its own shape inference: a second opinion
// for operations that Ergon has no rule for. Empty when the library fails.
std::map<std::string, DeclaredShape> library_shapes(const ::onnx::ModelProto& model);

}  // namespace ergon::graph::onnx
