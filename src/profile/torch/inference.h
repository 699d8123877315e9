#pragma once

#include <ATen/Context.h>
#include <c10/core/InferenceMode.h>
#include <optional>

#include "device/twin/precision.h"
#include "graph/cost.h"

namespace ergon::profile::torch {

// Numbers as this precision multiplies them: `tf32` is what PyTorch does unless told otherwise.
inline void choose_arithmetic(device::Precision precision) {
  at::globalContext().setAllowTF32CuDNN(precision == device::Precision::tf32);
  at::globalContext().setAllowTF32CuBLAS(false);
}

// While inferring, nothing is kept for a way back.
class ModeGuard {
 public:
  explicit ModeGuard(graph::Mode mode) {
    if (mode == graph::Mode::inference) inferring_.emplace();
  }

 private:
  std::optional<c10::InferenceMode> inferring_;
};

}  // namespace ergon::profile::torch
