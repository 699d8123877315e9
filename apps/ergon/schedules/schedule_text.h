#pragma once

#include <optional>
#include <string>

#include "allocate/schedule.h"
#include "report/table_style.h"
#include "schedules/allocation_options.h"

namespace ergon::app {

// Text of a schedule: layers, savings, slowdown with its cause, and the saving of `other`, which is not
// slower.
std::string schedule_text(const allocate::Schedule& schedule, const std::optional<allocate::Schedule>& other,
                          const AllocationOptions::Loaded& loaded, const report::TableStyle& style);

}  // namespace ergon::app
