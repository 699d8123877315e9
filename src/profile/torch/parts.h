#pragma once

#include <string_view>

#include "profile/torch/kernel.h"

namespace ergon::profile::torch {

// What the kernels of all families are made of.

using Sizes = std::vector<std::int64_t>;

// Where a kernel finds an operand while it runs.
class Place {
 public:
  Place() = default;  // nowhere: an undefined tensor
  static Place value(std::size_t id) { return {Kind::value, id}; }
  static Place weight(std::size_t index) { return {Kind::weight, index}; }

  bool is_somewhere() const { return kind_ != Kind::nowhere; }
  bool is_value(std::size_t id) const { return kind_ == Kind::value && index_ == id; }
  const at::Tensor& in(const Registers& registers) const {
    if (kind_ == Kind::value) return registers.values[index_];
    return kind_ == Kind::weight ? (*registers.weights)[index_] : kNothing;
  }

 private:
  enum class Kind : std::uint8_t { nowhere, value, weight };
  Place(Kind kind, std::size_t index) : kind_(kind), index_(index) {}

  inline static const at::Tensor kNothing;
  Kind kind_ = Kind::nowhere;
  std::size_t index_ = 0;
};

// A learned operand of an operation.
struct Learned {
  graph::WeightRole role = graph::WeightRole::other;
  Sizes sizes;                                         // as graph::weights_of has them
  std::optional<std::size_t> flows;                    // computed while the network runs: a place in inputs
  std::shared_ptr<const graph::StoredTensor> content;  // the file's numbers, in the file's own shape
  std::optional<std::size_t> operand;                  // where the file lists it
};
// In the order of graph::weights_of.
std::vector<Learned> learned_of(const NodeView& view);
// Where each is found when every one that does not flow is one weight.
std::vector<Place> places_of(const NodeView& view, const std::vector<Learned>& learned);

// A constant of the file. It follows the device of what flows and, being floating, its element type.
class Constant {
 public:
  Constant() = default;
  explicit Constant(at::Tensor host) : host_(std::move(host)) {}

  const at::Tensor& host() const { return host_; }
  const at::Tensor& beside(const at::Tensor& flowing) {
    if (!placed_.defined() || placed_.device() != flowing.device() ||
        (follows(flowing) && placed_.scalar_type() != flowing.scalar_type())) {
      place(flowing);
    }
    return placed_;
  }

 private:
  bool follows(const at::Tensor& flowing) const {
    return host_.is_floating_point() && flowing.is_floating_point();
  }
  void place(const at::Tensor& flowing);

  at::Tensor host_;
  at::Tensor placed_;
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

// What the file says; without it, `otherwise`.
std::string_view function_of(const NodeView& view);
double number_of(const NodeView& view, std::string_view name, double otherwise);
std::int64_t integer_of(const NodeView& view, std::string_view name, std::int64_t otherwise);
std::string_view word_of(const NodeView& view, std::string_view name, std::string_view otherwise);
const Sizes* list_of(const NodeView& view, std::string_view name);
// An operand of the file's operator that is a constant; null when it flows or is left out.
const graph::StoredTensor* constant_of(const NodeView& view, std::size_t operand);
bool has_operand(const NodeView& view, std::size_t operand);

// The file's operator has numbers that ATen's counterpart is not given.
Error unsupported(const NodeView& view, std::string_view why);

// The first input may be overwritten: the caller allows it, and no other tensor shares its memory; while
// training, also that nobody needs it for the way back.
bool may_overwrite(const NodeView& view);

// A kernel of one input and one output.
template <typename F>
Kernel unary_kernel(const NodeView& view, F function) {
  return [in = input_id(view, 0), out = output_id(view), function = std::move(function)](
             Registers& registers) mutable { registers.values[out] = function(registers.values[in]); };
}

}  // namespace ergon::profile::torch
