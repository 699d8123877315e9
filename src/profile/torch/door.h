#pragma once

#include "profile/torch/torch_engine.h"

namespace ergon::profile::torch {

// What the shared library of this folder offers to a program that loads it when it is needed: libtorch takes
// half a second to load, and most commands never use it.
struct Door {
  Result<std::vector<CudaDevice>> (*cuda_devices)();
  Result<std::unique_ptr<Engine>> (*open_processor)(Clock& clock);
  Result<std::unique_ptr<Engine>> (*open_gpu)(const CudaDevice& gpu, Clock& clock);
};

// The library's one symbol, a function that gives a Door*.
inline constexpr const char* kDoorSymbol = "ergon_torch_door";

}  // namespace ergon::profile::torch
