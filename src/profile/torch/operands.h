#pragma once

#include "profile/torch/parts.h"

namespace ergon::profile::torch {

// One operand of an element by element operation.
class Operand {
 public:
  explicit Operand(Place place) : place_(place) {}
  // A constant tensor of the file, or (without axes) a number.
  explicit Operand(at::Tensor constant) : constant_(std::move(constant)) {}

  bool flows() const { return place_.is_somewhere(); }
  bool is_value(std::size_t id) const { return place_.is_value(id); }
  bool is_number() const { return !flows() && constant_.host().dim() == 0 && !leaves_; }
  at::Scalar number() const { return constant_.host().item(); }
  // A number that must lie beside the tensors: not every function of ATen takes it from the processor.
  void leave_processor(at::ScalarType precision) {
    if (flows()) return;
    const at::Tensor& host = constant_.host();
    if (host.is_floating_point()) constant_ = Constant(host.to(precision));
    leaves_ = true;
  }

  // Contract: flows().
  const at::Tensor& tensor(const Registers& registers) const { return place_.in(registers); }
  // `like` is what flows.
  const at::Tensor& in(const Registers& registers, const at::Tensor& like) {
    if (flows()) return place_.in(registers);
    return is_number() ? constant_.host() : constant_.beside(like);
  }

 private:
  Place place_;
  Constant constant_;
  bool leaves_ = false;
};

// The first operand that flows, preferring floating ones: what constants are brought beside.
inline const at::Tensor& flowing(const std::vector<Operand>& operands, const Registers& registers) {
  const at::Tensor* found = nullptr;
  for (const Operand& operand : operands) {
    if (!operand.flows()) continue;
    const at::Tensor& tensor = operand.tensor(registers);
    if (tensor.is_floating_point()) return tensor;
    if (found == nullptr) found = &tensor;
  }
  return *found;
}

// All operands in the file's order; without a file, the inputs, then the weight, then a harmless number.
Result<std::vector<Operand>> operands_of(const NodeView& view, const graph::Arithmetic& op);

}  // namespace ergon::profile::torch
