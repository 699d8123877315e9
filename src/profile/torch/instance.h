#pragma once

#include <vector>

#include "profile/run_condition.h"
#include "profile/torch/program.h"

namespace ergon::profile::torch {

// Device and condition for which tensors are created.
struct TensorConfig {
  c10::Device device;
  RunCondition condition;
};

at::ScalarType scalar_type(device::Precision precision);

// The weights of one instance of a program, random or from the file.
std::vector<at::Tensor> make_weights(const Program& program, const TensorConfig& config);
// Size of these weights in bytes.
double bytes_of_weights(const Program& program, const TensorConfig& config);
// Random inputs with the element types and ranges of the program's inputs.
std::vector<at::Tensor> make_inputs(const Program& program, const TensorConfig& config);

}  // namespace ergon::profile::torch
