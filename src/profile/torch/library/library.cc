#include "profile/torch/door.h"

extern "C" __attribute__((visibility("default"))) const ergon::profile::torch::Door* ergon_torch_door() {
  using namespace ergon::profile::torch;
  static const Door door{&cuda_devices, &open_processor, &open_gpu};
  return &door;
}
