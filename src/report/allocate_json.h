#pragma once

#include <optional>
#include <span>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "allocate/hardware.h"
#include "allocate/hardware_request.h"
#include "allocate/runtime/follow_comparison.h"
#include "allocate/schedule.h"

namespace ergon::report {

// The hardware of an allocation.
nlohmann::ordered_json hardware_json(const allocate::Hardware& hardware);

// A schedule without its layers: savings, latencies, switches and the lower bound.
nlohmann::ordered_json schedule_summary_json(const allocate::Schedule& schedule);

nlohmann::ordered_json scheduled_layer_json(const allocate::ScheduledLayer& layer,
                                            const allocate::Hardware& hardware);

// Body of `ergon allocate`. `other` is the schedule of allocate::iso_latency().
nlohmann::ordered_json allocation_json(const std::string& network, const allocate::ResolvedHardware& hardware,
                                       const allocate::Schedule& schedule,
                                       const std::optional<allocate::Schedule>& other);

// Body of `ergon allocate compare`: schedules of all schemes.
nlohmann::ordered_json allocation_comparison_json(const std::string& network,
                                                  const allocate::ResolvedHardware& hardware, double slack,
                                                  std::span<const allocate::Schedule> schedules);

// Body of `ergon allocate follow`.
nlohmann::ordered_json follow_json(const std::string& network, const allocate::ResolvedHardware& hardware,
                                   double slack, const allocate::NeighborScenario& scenario,
                                   const allocate::FollowComparison& comparison);

}  // namespace ergon::report
