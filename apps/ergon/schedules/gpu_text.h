#pragma once

#include <string>

#include "allocate/gpu/gpu_allocation.h"
#include "report/table_style.h"

namespace ergon::app {

// Text: table of the schemes, clocks of the scheme `shown`, the break-even switch time, and warnings.
std::string gpu_allocation_text(const allocate::GpuWork& work, const allocate::GpuAllocation& allocation,
                                allocate::GpuScheme shown, const report::TableStyle& style);

}  // namespace ergon::app
