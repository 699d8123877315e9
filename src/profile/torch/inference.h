#pragma once

#include <ATen/Context.h>
#include <c10/core/InferenceMode.h>
#include <optional>

#include "device/twin/precision.h"
#include "graph/cost.h"

namespace ergon::profile::torch {

// Sets PyTorch's TF32 flags. `tf32` is PyTorch's default: TF32 in cuDNN, but not in cuBLAS.
inline void choose_arithmetic(device::Precision precision) {
  at::globalContext().setAllowTF32CuDNN(precision == device::Precision::tf32);
  at::globalContext().setAllowTF32CuBLAS(false);
}

// Enables InferenceMode at inference, so that nothing is stored for a backward pass.
class ModeGuard {
 public:
  explicit ModeGuard(graph::Mode mode) {
    if (mode == graph::Mode::inference) inference_mode_.emplace();
  }

 private:
  std::optional<c10::InferenceMode> inference_mode_;
};

}  // namespace ergon::profile::torch
