#pragma once

#include <string>
#include <vector>

#include "allocate/gpu/break_even.h"
#include "allocate/gpu/gpu_schedule.h"
#include "report/table_style.h"

namespace ergon::app {

// Schedules of all schemes on a GPU, one of them shown in detail.
struct GpuAllocation {
  std::vector<allocate::GpuSchedule> schedules;  // race to idle first
  std::size_t shown = 0;                         // index of the one shown in detail
  double slack = 0;
  allocate::BreakEven break_even;
};

// Text: table of the schemes, clocks of the shown one, and the break-even switch time.
std::string gpu_allocation_text(const allocate::GpuWork& work, const GpuAllocation& allocation,
                                const report::TableStyle& style);

}  // namespace ergon::app
