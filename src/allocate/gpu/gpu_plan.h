#pragma once

#include <span>
#include <vector>

#include "allocate/gpu/gpu_schedule.h"
#include "allocate/gpu/ring.h"

namespace ergon::allocate {

// ARADA's schemes take an operation to be no longer when it takes this share longer at most: on a GPU every
// clock makes some difference, because caches and the ends of kernels follow it.
inline constexpr double kNoLonger = 0.01;

struct GpuRequest {
  double slack = 0;  // time beyond race to idle that may be spent, as a share of it
  Seconds switch_time;
  RingLimits limits;
};

// One schedule. ARADA's own know neither slack nor budget, and changes of clock make vf-oh and vf-oh-q later
// than they mean to be.
Result<GpuSchedule> plan(const GpuWork& work, GpuScheme scheme, const GpuRequest& request);

Seconds budget_of(const GpuWork& work, double slack);

// The problem of one clock per step over some of the clocks, by their places in work.clocks(), as
// minimise_ring() takes it. Contract: ascending, the highest clock last.
Problem problem_of(const GpuWork& work, std::span<const std::size_t> levels, Seconds switch_time,
                   Seconds budget);

// Searches are over this many clocks, evenly spread, and `kept`, a place in work.clocks(): neighbours differ
// by little, and more would take longer than what they add is worth.
inline constexpr std::size_t kSearchedClocks = 48;
std::vector<std::size_t> searched_levels(const GpuWork& work, std::size_t kept);

// The place in work.clocks() of the single clock of least energy within the budget.
std::size_t best_single_level(const GpuWork& work, Seconds budget);

}  // namespace ergon::allocate
