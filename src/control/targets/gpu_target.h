#pragma once

#include <stop_token>

#include "base/clock.h"
#include "control/plants/device_plant.h"
#include "control/targets/target.h"
#include "device/device.h"
#include "device/twin/specification.h"
#include "graph/content.h"
#include "graph/network.h"
#include "profile/engine.h"

namespace ergon::control {

// A GPU of this machine with the engine that runs networks on it.
struct GpuBench {
  device::Device& gpu;
  profile::Engine& engine;
  Clock& clock;
  DevicePlant::SetClock set_clock;  // empty: the clock must not be set
};

// A network on a GPU. It is prepared for the largest batch that fits the memory, with CUDA graph replay if
// possible, so that the GPU is not host-bound. All arguments outlive the target. `content`: null for random
// weights. Errors: a network that does not fit or cannot run; a GPU without power readings.
Result<Target> gpu_target(const graph::Network& network, const graph::Content* content, const GpuBench& bench,
                          const TargetSettings& settings, const std::stop_token& stop = {});

// The twin with the longest name that is contained in the product name: "NVIDIA GeForce RTX 2080 Ti" gives
// rtx2080ti. Empty: none.
std::optional<device::Specification> twin_of_product(const std::string& product);

}  // namespace ergon::control
