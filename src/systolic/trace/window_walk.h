#pragma once

#include <cstddef>
#include <stop_token>

#include "systolic/trace/miss_list.h"
#include "systolic/trace/prefetch_window.h"
#include "systolic/trace/read_demand.h"

namespace ergon::systolic {

// More than this, some hundred megabytes, are not traced: the scratchpad is out of proportion to the layer.
inline constexpr std::size_t kMaxMisses = 50'000'000;

// Every miss of an operand, in order. Which lines miss depends on the sequence of words and on the window
// alone, not on when data arrive.
// Cut short, and of no use, when asked to stop and beyond kMaxMisses.
MissList walk_window(const ReadDemand& demand, const PrefetchPlan& plan, const std::stop_token& stop = {});

}  // namespace ergon::systolic
