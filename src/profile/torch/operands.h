#pragma once

#include "profile/torch/parts.h"

namespace ergon::profile::torch {

// One operand of an elementwise operation.
class Operand {
 public:
  explicit Operand(TensorSlot slot) : slot_(slot) {}
  // A constant tensor of the file, or a number (a tensor of rank 0).
  explicit Operand(at::Tensor constant) : constant_(std::move(constant)) {}

  // Computed or learned, not a constant.
  bool is_dynamic() const { return slot_.is_set(); }
  bool is_value(std::size_t id) const { return slot_.is_value(id); }
  bool is_number() const { return !is_dynamic() && constant_.host().dim() == 0 && !on_device_; }
  at::Scalar number() const { return constant_.host().item(); }
  // For functions of ATen that do not accept numbers from the processor: keep the number on the device.
  void move_to_device(at::ScalarType precision) {
    if (is_dynamic()) return;
    const at::Tensor& host = constant_.host();
    if (host.is_floating_point()) constant_ = Constant(host.to(precision));
    on_device_ = true;
  }

  // Contract: is_dynamic().
  const at::Tensor& tensor(const Registers& registers) const { return slot_.in(registers); }
  // Constants are moved to the device and type of `like`.
  const at::Tensor& in(const Registers& registers, const at::Tensor& like) {
    if (is_dynamic()) return slot_.in(registers);
    return is_number() ? constant_.host() : constant_.matching(like);
  }

 private:
  TensorSlot slot_;
  Constant constant_;
  bool on_device_ = false;
};

// The first dynamic operand, floating-point if there is one. Constants take its device and type.
inline const at::Tensor& reference_tensor(const std::vector<Operand>& operands, const Registers& registers) {
  const at::Tensor* found = nullptr;
  for (const Operand& operand : operands) {
    if (!operand.is_dynamic()) continue;
    const at::Tensor& tensor = operand.tensor(registers);
    if (tensor.is_floating_point()) return tensor;
    if (found == nullptr) found = &tensor;
  }
  return *found;
}

// All operands in the file's order; without a file, the inputs, then the weight, then a neutral number.
Result<std::vector<Operand>> operands_of(const NodeView& view, const graph::Arithmetic& op);

}  // namespace ergon::profile::torch
