#pragma once

#include <vector>

#include "allocate/gpu/break_even.h"
#include "allocate/gpu/gpu_schedule.h"
#include "allocate/gpu/gpu_scheme.h"

namespace ergon::allocate {

// Schedules of all schemes on a GPU.
struct GpuAllocation {
  std::vector<GpuSchedule> schedules;  // in the order of all_gpu_schemes(): race to idle first
  double slack = 0;
  BreakEven break_even;

  const GpuSchedule& race_to_idle() const { return schedules.front(); }
  const GpuSchedule& of(GpuScheme scheme) const;
};

// Errors: those of plan() and break_even().
Result<GpuAllocation> plan_all(const GpuWork& work, double slack);

}  // namespace ergon::allocate
