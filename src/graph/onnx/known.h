#pragma once

#include <optional>
#include <string>
#include <vector>

#include "graph/builder.h"

namespace ergon::graph::onnx {

// Where a constant comes from: a place in the importer's list of origins.
using Origin = std::int32_t;
inline constexpr Origin kNoOrigin = -1;

// What is known about a value of an ONNX graph while the graph is walked. Either it flows at run time and has
// a tensor in the network, or it is a constant: an initialiser, or something that can be computed from
// initialisers and shapes before the network runs.
struct Known {
  std::optional<Shape> shape;  // nothing: an operation of unknown cost did not say
  ElementType type = ElementType::float32;
  std::optional<Tensor> tensor;  // set when it flows
  bool waiting_input = false;    // an input of the graph that nobody has read yet; it flows as well

  // Of constants. The contents of small integer tensors, with the batch left open (Shape gives such), and of
  // small tensors of floats.
  std::optional<std::vector<Dim>> integers;
  std::optional<std::vector<double>> reals;
  // Nothing but noughts, made by the graph itself: exporters give every convolution a bias, of noughts where
  // it has none. A learned tensor is never so, whatever it holds.
  bool noughts = false;
  Origin origin = kNoOrigin;  // the initialisers it was computed from

  bool constant() const { return !tensor.has_value() && !waiting_input; }
  // A constant of one element.
  bool scalar() const {
    return constant() && shape && !shape->batched() && shape->elements(1).value().value_or(0) == 1;
  }
};

}  // namespace ergon::graph::onnx
