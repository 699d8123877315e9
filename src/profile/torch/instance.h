#pragma once

#include <vector>

#include "profile/condition.h"
#include "profile/torch/program.h"

namespace ergon::profile::torch {

// How tensors are made for a condition on a device.
struct Making {
  c10::Device device;
  Condition condition;
};

at::ScalarType scalar_type(device::Precision precision);

// The weights of one copy of a program, random or the file's own.
std::vector<at::Tensor> make_weights(const Program& program, const Making& making);
// Bytes they take.
double bytes_of_weights(const Program& program, const Making& making);
// Random inputs of the right kind.
std::vector<at::Tensor> make_inputs(const Program& program, const Making& making);

}  // namespace ergon::profile::torch
