#pragma once

#include <string>
#include <vector>

#include "allocate/gpu/break_even.h"
#include "allocate/gpu/gpu_schedule.h"
#include "report/table_style.h"

namespace ergon::app {

// All schemes on a GPU, and one of them in detail.
struct GpuAllocation {
  std::vector<allocate::GpuSchedule> schedules;  // race to idle first
  std::size_t shown = 0;                         // in detail
  double slack = 0;
  allocate::BreakEven break_even;
};

// For people: the schemes side by side, the clocks of the one that is shown, and from which time for a change
// of clock on all this pays.
std::string gpu_allocation_text(const allocate::GpuWork& work, const GpuAllocation& allocation, const report::TableStyle& style);

}  // namespace ergon::app
