#pragma once

#include <optional>
#include <string>

#include "allocate/gpu/gpu_scheme.h"
#include "schedules/gpu_source.h"
#include "shell.h"

namespace ergon::app {

struct GpuAllocationRequest {
  const NetworkSource& network;
  const GpuSource& gpu;
  allocate::GpuScheme shown = allocate::GpuScheme::optimal;
  double slack = 0;
  std::optional<Hertz> clock_step;
  std::optional<Seconds> switch_time;
};

// `ergon allocate NET --device NAME`.
Result<int> allocate_on_gpu(const GpuAllocationRequest& request, Shell& shell);

}  // namespace ergon::app
