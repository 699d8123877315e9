#pragma once

#include <optional>
#include <span>

#include "allocate/demand.h"
#include "allocate/hardware.h"
#include "allocate/minimise.h"
#include "allocate/schedule.h"
#include "allocate/scheme.h"
#include "base/result.h"

namespace ergon::allocate {

struct Request {
  Scheme scheme = Scheme::vf_oh_q;
  double slack = 0;                // time beyond race to idle that may be spent, as a share of it
  std::optional<Seconds> latency;  // allowed in place of race to idle and slack
  SearchLimits limits;
};

// The schedule of a network, evaluated. With `times`, greedy and optimal choose by these (PromisedTimes: as
// ARADA would have it) in place of the simulator's. Fails when a change of clock takes longer than the
// network, and when nothing fits the latency.
Result<Schedule> plan(std::span<const Demand> demands, const Hardware& hardware, const Request& request,
                      const LayerTimes* times = nullptr);

// The least energy that any schedule over levels, one clock per layer, can have in the time that this one
// takes, changes of clock paid. Not for schemes that choose clocks freely or change them for nothing: then
// nothing is returned.
Result<std::optional<Certificate>> certify(const Schedule& schedule, std::span<const Demand> demands,
                                           const Hardware& hardware);

}  // namespace ergon::allocate
