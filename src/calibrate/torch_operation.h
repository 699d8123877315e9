#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"
#include "graph/network.h"

namespace ergon::calibrate {

// A network of one operation, given as PyTorch prints its module, and the shape of its input:
//
//   Conv2d(3, 64, kernel_size=(7, 7), stride=(2, 2), padding=(3, 3), bias=False)   (32, 3, 56, 56)
//
// An addition with a weight precedes the operation, so that training computes the gradient of its input.
struct TorchOperation {
  graph::Network network;
  std::int64_t batch = 1;
};

// Errors: text that is not a module; an unsupported module; a shape that does not fit it.
Result<TorchOperation> torch_operation(std::string_view text, std::string_view extents);

}  // namespace ergon::calibrate
