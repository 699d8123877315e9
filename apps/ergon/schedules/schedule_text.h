#pragma once

#include <optional>
#include <string>

#include "allocate/schedule.h"
#include "report/table_style.h"
#include "schedules/allocation.h"

namespace ergon::app {

// Shares of time or energy that count as zero, and below which text output omits them.
inline constexpr double kNegligible = 1e-6, kMinReported = 5e-4;

// Text of a schedule: layers, savings, slowdown with its cause, and the saving of `other`, which is not
// slower.
std::string schedule_text(const allocate::Schedule& schedule, const std::optional<allocate::Schedule>& other,
                          const AllocationSource::Loaded& loaded, const report::TableStyle& style);

}  // namespace ergon::app
