#pragma once

#include <string_view>
#include <vector>

#include "graph/onnx/call.h"

namespace ergon::graph::onnx {

// What a node becomes: an operation, which of its inputs the operation reads as tensors, and which are its
// weights.
struct Lowered {
  struct WeightUse {
    std::size_t input;
    WeightRole role;
  };

  Operation operation;
  std::vector<std::size_t> operands;
  std::vector<WeightUse> weights;
  std::vector<ElementType> types;  // of the outputs; empty: that of the first operand
};

using Rule = Result<Lowered> (*)(const Call&);

// How the reshapes of a graph are read. A file that fixes its batch may still be read with an open one: then
// `assumed_batch` is what it fixes, and constant shapes are read as if that number stood for the batch.
struct ReshapeReading {
  std::optional<std::int64_t> assumed_batch;
};

// The rule for an operation type of the standard, or nothing.
Rule find_rule(std::string_view type);

// Reshape, Flatten and their kin are told how to read constant shapes.
Result<Lowered> lower_reshape(const Call& call, const ReshapeReading& reading);

// What an operation that works on shapes gives, when it can be computed before the network runs.
std::optional<std::vector<Dim>> evaluate(const Call& call);
// The same for small calculations in floating point, such as the scales of a resize.
std::optional<std::vector<double>> evaluate_reals(const Call& call);
// How many numbers a Range gives, when its bounds are known or it counts samples.
std::optional<Dim> range_length(const Call& call);
// Whether a node of constants gives nothing but noughts (Known::noughts).
bool gives_noughts(const Call& call);

// Families of rules, each in its own file.
struct NamedRule {
  std::string_view type;
  Rule rule;
};
std::vector<NamedRule> elementwise_rules();
std::vector<NamedRule> matrix_rules();
std::vector<NamedRule> window_rules();
std::vector<NamedRule> norm_rules();
std::vector<NamedRule> movement_rules();
std::vector<NamedRule> resize_rules();

}  // namespace ergon::graph::onnx
