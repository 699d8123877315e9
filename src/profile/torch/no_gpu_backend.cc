#include "profile/torch/backend.h"

namespace ergon::profile::torch {

Result<std::vector<CudaDevice>> cuda_devices() {
  return fail(Errc::unsupported, "libtorch was built without CUDA");
}

Result<std::unique_ptr<Backend>> gpu_backend(const CudaDevice&) { return cuda_devices().error(); }

}  // namespace ergon::profile::torch
