#pragma once

#include <optional>
#include <string>
#include <vector>

#include "graph/builder.h"

namespace ergon::graph::onnx {

// Index into InitializerSets.
using InitializerSetId = std::int32_t;
inline constexpr InitializerSetId kNoInitializers = -1;

// Import state of one value of an ONNX graph. A value is either computed at run time (it has a tensor in the
// network) or a constant: an initializer, or computed at import from initializers and shapes.
struct ValueInfo {
  std::optional<Shape> shape;  // empty: output of an operation of unknown cost
  ElementType type = ElementType::float32;
  std::optional<Tensor> tensor;  // set if computed at run time
  bool unread_input = false;     // a graph input without readers so far; a run-time value too

  // Constants: contents of small integer tensors, with a symbolic batch (from Shape), and of small float
  // tensors.
  std::optional<std::vector<Dim>> integers;
  std::optional<std::vector<double>> reals;
  // Zeros created by the graph: PyTorch's exporter adds a bias of zeros to convolutions without bias. Never
  // set for initializers, whatever they contain.
  bool all_zeros = false;
  InitializerSetId initializers = kNoInitializers;  // the initializers it was computed from

  bool constant() const { return !tensor.has_value() && !unread_input; }
  // A constant of one element.
  bool scalar() const {
    return constant() && shape && !shape->batched() && shape->elements(1).value().value_or(0) == 1;
  }
};

}  // namespace ergon::graph::onnx
