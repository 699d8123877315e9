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

// A shape as a file declares it: numbers, names and unknown extents.
struct DeclaredShape {
  struct Extent {
    std::optional<std::int64_t> size;
    std::string name;  // of a symbolic dimension; empty if unknown
  };
  std::vector<Extent> extents;
  ElementType type = ElementType::float32;
};

// Empty if the value is not a tensor or has no shape.
std::optional<DeclaredShape> declared_shape(const ::onnx::ValueInfoProto& value);

// Shape inference by the onnx library for one node, for standard operators without a rule in Ergon. The
// library gets this node only, with its input shapes, and only if the node satisfies the operator's schema:
// invalid models crash the library. The batch has the name kLibraryBatch. Outputs that the library cannot
// infer are omitted.
inline constexpr const char* kLibraryBatch = "ergon_batch";
std::map<std::string, DeclaredShape> library_shapes(const ::onnx::NodeProto& node,
                                                    const std::map<std::string, DeclaredShape>& inputs,
                                                    std::int64_t opset);

}  // namespace ergon::graph::onnx
