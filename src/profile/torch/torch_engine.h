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

// Errors: unsupported, when libtorch was left out of this build, knows no CUDA, or finds no GPU.
Result<std::vector<CudaDevice>> cuda_devices();

// Where networks run: on the processor, or on a GPU. The clock outlives the engine. Errors: unsupported as
// above.
Result<std::unique_ptr<Engine>> open_processor(Clock& clock);
Result<std::unique_ptr<Engine>> open_gpu(const CudaDevice& gpu, Clock& clock);

}  // namespace ergon::profile::torch
