// Source of the rules: PyTorch's derivatives.yaml, which lists a gradient formula for each operator.

#include "device/twin/saved_tensors.h"

#include "graph/overloaded.h"

namespace ergon::device {
namespace {

using Values = std::vector<graph::ValueId>;

// Functions whose gradient is computed from the result.
bool saves_result(graph::Function function) {
  switch (function) {
    case graph::Function::relu:
    case graph::Function::leaky_relu:
    case graph::Function::sigmoid:
    case graph::Function::tanh:
    case graph::Function::exp:
    case graph::Function::sqrt:
    case graph::Function::reciprocal:
      return true;
    default:
      return false;
  }
}

// Functions whose gradient needs no tensor.
bool saves_nothing(graph::Function function) {
  switch (function) {
    case graph::Function::negative:
    case graph::Function::floor:
    case graph::Function::ceil:
    case graph::Function::round:
    case graph::Function::sign:
    case graph::Function::logical_not:
    case graph::Function::cast:
    case graph::Function::quantize:
      return true;
    default:
      return false;
  }
}

Values saved_by(const graph::Elementwise& operation, const graph::Node& node) {
  if (saves_nothing(operation.function)) return {};
  return saves_result(operation.function) ? node.outputs : node.inputs;
}

// Sums and scalings save nothing.
Values saved_by(const graph::Arithmetic& operation, const graph::Node& node) {
  switch (operation.combine) {
    case graph::Combine::multiply:
    case graph::Combine::divide:
      return operation.scalar ? Values{} : node.inputs;
    case graph::Combine::add:
    case graph::Combine::subtract:
      return {};
    default:
      return node.inputs;
  }
}

}  // namespace

Values saved_tensors(const graph::Node& node) {
  return std::visit(graph::Overloaded{
                        [&](const graph::Elementwise& operation) { return saved_by(operation, node); },
                        [&](const graph::Arithmetic& operation) { return saved_by(operation, node); },
                        [&](const graph::Softmax&) { return node.outputs; },
                        // They move elements or add them up.
                        [](const graph::Input&) { return Values{}; },
                        [](const graph::Parameter&) { return Values{}; },
                        [](const graph::Concat&) { return Values{}; },
                        [](const graph::Split&) { return Values{}; },
                        [](const graph::Slice&) { return Values{}; },
                        [](const graph::Pad&) { return Values{}; },
                        [](const graph::Reshape&) { return Values{}; },
                        [](const graph::Transpose&) { return Values{}; },
                        [](const graph::Resize&) { return Values{}; },
                        [](const graph::Expand&) { return Values{}; },
                        [](const graph::Reduce&) { return Values{}; },
                        [](const graph::Identity&) { return Values{}; },
                        [](const graph::Dropout&) { return Values{}; },
                        // Products, norms, pools.
                        [&](const auto&) { return node.inputs; },
                    },
                    node.operation);
}

double saved_beside_tensors(const graph::Network& network, const graph::Node& node, std::int64_t batch) {
  constexpr double kIndexBytes = 8, kMaskBytes = 1;
  const auto* pool = std::get_if<graph::Pool>(&node.operation);
  const bool indices = pool != nullptr && pool->kind == graph::PoolKind::max;
  const bool mask = std::holds_alternative<graph::Dropout>(node.operation);
  if (!indices && !mask) return 0;
  const auto elements = static_cast<double>(network.values[node.outputs[0]].shape.elements(batch).exact());
  return elements * (indices ? kIndexBytes : kMaskBytes);
}

bool works_in_place(const graph::Operation& operation) {
  // Others save their input for the gradient, which needs a copy of it even in place.
  const auto* elementwise = std::get_if<graph::Elementwise>(&operation);
  return elementwise != nullptr && (elementwise->function == graph::Function::relu ||
                                    elementwise->function == graph::Function::leaky_relu);
}

}  // namespace ergon::device
