#pragma once

#include <optional>
#include <string>

#include "allocate/schedule.h"
#include "report/table_style.h"
#include "schedules/allocation.h"

namespace ergon::app {

// Shares of time or energy below these are nothing, and not worth a sentence.
inline constexpr double kNoticed = 1e-6, kWorthSaying = 5e-4;

// A schedule for people: its layers, what it saves, how late it is and why, and what `other`, which is not
// late, would save.
std::string schedule_text(const allocate::Schedule& schedule, const std::optional<allocate::Schedule>& other,
                          const AllocationSource::Loaded& loaded, const report::TableStyle& style);

}  // namespace ergon::app
