#pragma once

#include "profile/torch/torch_engine.h"

namespace ergon::profile::torch {

// Interface of the shared library libergon_torch.so. Programs load it on demand, because libtorch takes half
// a second to load and most commands do not use it.
struct LibraryApi {
  Result<std::vector<CudaDevice>> (*cuda_devices)();
  Result<std::unique_ptr<Engine>> (*open_processor)(Clock& clock);
  Result<std::unique_ptr<Engine>> (*open_gpu)(const CudaDevice& gpu, Clock& clock);
};

// The library's only symbol: a function that returns a const LibraryApi*.
inline constexpr const char* kLibraryApiSymbol = "ergon_torch_api";

}  // namespace ergon::profile::torch
