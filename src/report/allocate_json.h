#pragma once

#include <nlohmann/json_fwd.hpp>

#include "allocate/hardware.h"
#include "allocate/schedule.h"

namespace ergon::report {

// The hardware of an allocation.
nlohmann::ordered_json hardware_json(const allocate::Hardware& hardware);

// A schedule without its layers: savings, latencies, switches and the lower bound.
nlohmann::ordered_json schedule_summary_json(const allocate::Schedule& schedule);

nlohmann::ordered_json scheduled_layer_json(const allocate::ScheduledLayer& layer,
                                            const allocate::Hardware& hardware);

}  // namespace ergon::report
