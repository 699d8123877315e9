#pragma once

#include <cstddef>
#include <span>
#include <stop_token>
#include <string>

#include "allocate/demand.h"
#include "allocate/runtime/follow.h"
#include "allocate/runtime/simulated_accelerator.h"
#include "allocate/schedule.h"

namespace ergon::allocate {

// A neighbor that alternates: one period without traffic, then one period in which `left` of the bandwidth is
// left.
SimulatedAccelerator::Neighbor alternating_neighbor(Seconds period, double left);

// A neighbor's use of the bandwidth while a network runs repeatedly.
struct NeighborScenario {
  double taken = 0.5;       // share of the bandwidth that the neighbor uses in every other period
  std::size_t period = 20;  // runs of the network between changes
  std::size_t runs = 100;   // of the network
};

struct FollowedRun {
  FollowResult followed;
  Joules energy;
};

// One schedule run uncorrected, and corrected after every layer by its measured time.
struct FollowComparison {
  FollowedRun uncorrected, corrected;

  // Of the corrected run, as a share of the uncorrected one.
  double slowdown() const { return (corrected.followed.time / uncorrected.followed.time).si() - 1; }
  double energy_saved() const { return 1 - (corrected.energy / uncorrected.energy).si(); }
};

// Simulates both runs. Errors: those of follow(). Contract: the schedule is for these demands and this
// hardware.
Result<FollowComparison> compare_following(const std::string& network, const Schedule& schedule,
                                           std::span<const LayerDemand> demands, const Hardware& hardware,
                                           const NeighborScenario& scenario,
                                           const std::stop_token& stop = {});

}  // namespace ergon::allocate
