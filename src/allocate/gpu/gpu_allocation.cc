#include "allocate/gpu/gpu_allocation.h"

#include <algorithm>

#include "base/contract.h"

namespace ergon::allocate {

const GpuSchedule& GpuAllocation::of(GpuScheme scheme) const {
  const auto found = std::find_if(schedules.begin(), schedules.end(),
                                  [&](const GpuSchedule& each) { return each.scheme == scheme; });
  ERGON_EXPECTS(found != schedules.end());
  return *found;
}

Result<GpuAllocation> plan_all(const GpuWork& work, double slack) {
  GpuAllocation allocation{.slack = slack};
  for (const GpuScheme scheme : all_gpu_schemes()) {
    auto schedule = plan(work, scheme, {.slack = slack, .switch_time = work.switch_time(), .limits = {}});
    if (!schedule) return schedule.error();
    allocation.schedules.push_back(std::move(*schedule));
  }
  const auto found = break_even(work, {.slack = slack});
  if (!found) return found.error();
  allocation.break_even = *found;
  return allocation;
}

}  // namespace ergon::allocate
