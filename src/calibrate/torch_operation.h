#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"
#include "graph/network.h"

namespace ergon::calibrate {

// An operation as PyTorch prints its module, with the extents of its input:
//
//   Conv2d(3, 64, kernel_size=(7, 7), stride=(2, 2), padding=(3, 3), bias=False)   (32, 3, 56, 56)
//
// as the last operation of a network, behind one that learns, so that training wants a gradient of its input.
struct TorchOperation {
  graph::Network network;
  std::int64_t batch = 1;
};

// Errors: text that is not such a module; a module that is not known here; extents that do not fit it.
Result<TorchOperation> torch_operation(std::string_view module, std::string_view extents);

}  // namespace ergon::calibrate
