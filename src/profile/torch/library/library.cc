#include "profile/torch/library_api.h"

extern "C" __attribute__((visibility("default"))) const ergon::profile::torch::LibraryApi* ergon_torch_api() {
  using namespace ergon::profile::torch;
  static const LibraryApi api{&cuda_devices, &open_processor, &open_gpu};
  return &api;
}
