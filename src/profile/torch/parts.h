#pragma once

#include <string_view>

#include "profile/torch/kernel.h"

namespace ergon::profile::torch {

// Building blocks of the kernels.

using Sizes = std::vector<std::int64_t>;

// Reference to an operand in Registers: a value or a weight.
class TensorSlot {
 public:
  TensorSlot() = default;  // an undefined tensor
  static TensorSlot value(std::size_t id) { return {Kind::value, id}; }
  static TensorSlot weight(std::size_t index) { return {Kind::weight, index}; }

  bool is_set() const { return kind_ != Kind::unset; }
  bool is_value(std::size_t id) const { return kind_ == Kind::value && index_ == id; }
  const at::Tensor& in(const Registers& registers) const {
    if (kind_ == Kind::value) return registers.values[index_];
    return kind_ == Kind::weight ? (*registers.weights)[index_] : kUndefined;
  }

 private:
  enum class Kind : std::uint8_t { unset, value, weight };
  TensorSlot(Kind kind, std::size_t index) : kind_(kind), index_(index) {}

  inline static const at::Tensor kUndefined;
  Kind kind_ = Kind::unset;
  std::size_t index_ = 0;
};

// A weight of an operation, stored or computed.
struct WeightOperand {
  graph::WeightRole role = graph::WeightRole::other;
  Sizes sizes;                                         // as in graph::weights_of
  std::optional<std::size_t> input_index;              // index in inputs, if it is computed by the network
  std::shared_ptr<const graph::StoredTensor> content;  // values of the file, in the file's shape
  std::optional<std::size_t> operand;                  // index in the file's operands
};
// In the order of graph::weights_of.
std::vector<WeightOperand> weight_operands_of(const NodeView& view);
// The slot of each; every operand that is not computed is one weight.
std::vector<TensorSlot> slots_of(const NodeView& view, const std::vector<WeightOperand>& operands);

// A constant of the file. It takes the device and, if floating-point, the element type of a reference tensor.
class Constant {
 public:
  Constant() = default;
  explicit Constant(at::Tensor host) : host_(std::move(host)) {}

  const at::Tensor& host() const { return host_; }
  const at::Tensor& matching(const at::Tensor& reference) {
    if (!moved_.defined() || moved_.device() != reference.device() ||
        (follows(reference) && moved_.scalar_type() != reference.scalar_type())) {
      move_to(reference);
    }
    return moved_;
  }

 private:
  bool follows(const at::Tensor& reference) const {
    return host_.is_floating_point() && reference.is_floating_point();
  }
  void move_to(const at::Tensor& reference);

  at::Tensor host_;
  at::Tensor moved_;
};

inline std::size_t input_id(const NodeView& view, std::size_t i) { return view.node.inputs[i]; }
inline std::size_t output_id(const NodeView& view, std::size_t i = 0) { return view.node.outputs[i]; }
inline const graph::Value& input_value(const NodeView& view, std::size_t i) {
  return view.network.values[view.node.inputs[i]];
}
inline const graph::Value& output_value(const NodeView& view, std::size_t i = 0) {
  return view.network.values[view.node.outputs[i]];
}
inline Sizes input_sizes(const NodeView& view, std::size_t i = 0) {
  return input_value(view, i).shape.at(view.batch);
}
inline Sizes output_sizes(const NodeView& view, std::size_t i = 0) {
  return output_value(view, i).shape.at(view.batch);
}
inline std::int64_t rank_of(const NodeView& view, std::size_t i = 0) {
  return static_cast<std::int64_t>(input_value(view, i).shape.rank());
}
inline Sizes to_sizes(const graph::Extent& extent) { return {extent.sizes().begin(), extent.sizes().end()}; }
inline bool trains(const NodeView& view) { return view.mode == graph::Mode::training; }

// Attributes of the file's operator; `otherwise` without a file.
std::string_view function_of(const NodeView& view);
double number_of(const NodeView& view, std::string_view name, double otherwise);
std::int64_t integer_of(const NodeView& view, std::string_view name, std::int64_t otherwise);
std::string_view word_of(const NodeView& view, std::string_view name, std::string_view otherwise);
const Sizes* list_of(const NodeView& view, std::string_view name);
// A constant operand of the file's operator; null if it is computed or omitted.
const graph::StoredTensor* constant_of(const NodeView& view, std::size_t operand);
bool has_operand(const NodeView& view, std::size_t operand);

// An error that names the operator and the reason.
Error unsupported(const NodeView& view, std::string_view why);

// The first input may be overwritten: the caller allows it and no other tensor shares its memory; in
// training, the backward pass does not need it.
bool may_overwrite(const NodeView& view);

// A kernel of one input and one output.
template <typename F>
Kernel unary_kernel(const NodeView& view, F function) {
  return [in = input_id(view, 0), out = output_id(view), function = std::move(function)](
             Registers& registers) mutable { registers.values[out] = function(registers.values[in]); };
}

}  // namespace ergon::profile::torch
