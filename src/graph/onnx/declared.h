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

// What the onnx library's own inference says about the outputs of one node, for operations of the standard
// that Ergon has no rule for. The node is shown to the library alone, with its inputs' shapes, and only when
// it satisfies the operator's schema: whole models with faults in them bring the library down. The batch
// among the inputs' extents is the name kLibraryBatch. Outputs the library cannot tell are left out.
inline constexpr const char* kLibraryBatch = "ergon_batch";
std::map<std::string, DeclaredShape> library_shapes(const ::onnx::NodeProto& node,
                                                    const std::map<std::string, DeclaredShape>& inputs,
                                                    std::int64_t opset);

}  // namespace ergon::graph::onnx
