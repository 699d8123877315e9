#pragma once

#include <string_view>
#include <vector>

#include "graph/onnx/call.h"

namespace ergon::graph::onnx {

// Lowering of an ONNX node: the operation, the inputs that it reads as tensors, and its weights.
struct Lowered {
  struct WeightUse {
    std::size_t input;
    WeightRole role;
  };

  Operation operation;
  std::vector<std::size_t> operands;
  std::vector<WeightUse> weights;
  std::vector<ElementType> types;  // of the outputs; default: that of the first operand
};

using Rule = Result<Lowered> (*)(const NodeCall&);

// `assumed_batch` is set if the file fixes the batch but is imported with a symbolic one. Constant target
// shapes are then interpreted as if they were written for that batch.
struct ReshapeOptions {
  std::optional<std::int64_t> assumed_batch;
};

// The rule for a standard operator, or null.
Rule find_rule(std::string_view type);

// Reshape, Flatten, Squeeze and Unsqueeze.
Result<Lowered> lower_reshape(const NodeCall& call, const ReshapeOptions& reading);

// Result of integer arithmetic on shapes, if it can be computed at import.
std::optional<std::vector<Dim>> evaluate(const NodeCall& call);
// The same for small floating-point calculations, such as the scales of a Resize.
std::optional<std::vector<double>> evaluate_reals(const NodeCall& call);
// Length of a Range, if its bounds are known or it counts samples.
std::optional<Dim> range_length(const NodeCall& call);
// Whether the output of a node of constants is all zeros (ValueInfo::all_zeros).
bool produces_zeros(const NodeCall& call);

// Groups of rules, one file each.
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
