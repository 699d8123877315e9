#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "profile/engine.h"

namespace ergon::profile::torch {

// A GPU that libtorch can run on.
struct CudaDevice {
  int index = 0;
  std::string name;
  std::string uuid;  // as NVML writes it: "GPU-..."
};

// Errors: unsupported, if this build has no libtorch, libtorch has no CUDA, or there is no GPU.
Result<std::vector<CudaDevice>> cuda_devices();

// Engines for the processor and for a GPU. The clock outlives the engine. Errors: unsupported, as above.
Result<std::unique_ptr<Engine>> open_processor(Clock& clock);
Result<std::unique_ptr<Engine>> open_gpu(const CudaDevice& gpu, Clock& clock);

}  // namespace ergon::profile::torch
