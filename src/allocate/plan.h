#pragma once

#include <optional>
#include <span>

#include "allocate/demand.h"
#include "allocate/hardware.h"
#include "allocate/minimize.h"
#include "allocate/schedule.h"
#include "allocate/scheme.h"
#include "base/result.h"

namespace ergon::allocate {

struct PlanRequest {
  Scheme scheme = Scheme::vf_oh_q;
  double slack = 0;                // allowed time beyond race to idle, as a share of it
  std::optional<Seconds> latency;  // allowed time; replaces race to idle plus slack
  SearchLimits limits;
};

// Plans and evaluates the schedule of a network. greedy and optimal use `times` (for example AradaTimes)
// instead of the simulator if given. Errors: a switch takes longer than the network; no schedule meets the
// latency.
Result<Schedule> plan(std::span<const LayerDemand> demands, const Hardware& hardware,
                      const PlanRequest& request, const LayerTimes* times = nullptr);

// Lower bound on the energy of any schedule over the same levels, one clock per layer, in the time that this
// one takes, switches included. Empty for schemes with arbitrary clocks.
Result<std::optional<Certificate>> certify(const Schedule& schedule, std::span<const LayerDemand> demands,
                                           const Hardware& hardware);

// plan() with the certificate.
Result<Schedule> plan_certified(std::span<const LayerDemand> demands, const Hardware& hardware,
                                const PlanRequest& request);

// Savings and slowdowns below this share are not worth reporting.
inline constexpr double kMinReported = 5e-4;

// The optimal-split schedule in race to idle's time, if this schedule is slower than planned or saves
// nothing, and the other saves at least kMinReported.
std::optional<Schedule> iso_latency(const Schedule& schedule, std::span<const LayerDemand> demands,
                                    const Hardware& hardware);

// Part of a schedule's slowdown to race to idle that its bandwidths cause: ARADA's rule counts every word
// once, but some are fetched again.
double slowdown_by_bandwidth(const Schedule& schedule, std::span<const LayerDemand> demands,
                             const Hardware& hardware);

}  // namespace ergon::allocate
