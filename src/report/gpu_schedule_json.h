#pragma once

#include <nlohmann/json_fwd.hpp>

#include "allocate/gpu/break_even.h"
#include "allocate/gpu/gpu_allocation.h"
#include "allocate/gpu/gpu_schedule.h"

namespace ergon::report {

// Network, GPU and clocks of the schedules.
nlohmann::ordered_json gpu_work_json(const allocate::GpuWork& work);

// A schedule without its operations. `race_to_idle` is the baseline.
nlohmann::ordered_json gpu_schedule_json(const allocate::GpuWork& work, const allocate::GpuSchedule& schedule,
                                         const allocate::GpuSchedule& race_to_idle);

// Every operation of a schedule, in order.
nlohmann::ordered_json gpu_operations_json(const allocate::GpuWork& work,
                                           const allocate::GpuSchedule& schedule);

nlohmann::ordered_json break_even_json(const allocate::BreakEven& found);

// Body of `ergon allocate --device`: all schemes, and the operations of one of them.
nlohmann::ordered_json gpu_allocation_json(const allocate::GpuWork& work,
                                           const allocate::GpuAllocation& allocation,
                                           allocate::GpuScheme shown);

}  // namespace ergon::report
