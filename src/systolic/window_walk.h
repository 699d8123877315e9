#pragma once

#include "systolic/miss_list.h"
#include "systolic/prefetch_window.h"
#include "systolic/read_demand.h"

namespace ergon::systolic {

// Every miss of an operand, in order. Which lines miss depends on the sequence of words and on the window
// alone, not on when data arrive.
MissList walk_window(const ReadDemand& demand, const PrefetchPlan& plan);

}  // namespace ergon::systolic
