#pragma once

#include <span>
#include <vector>

#include "allocate/gpu/gpu_schedule.h"
#include "allocate/gpu/ring.h"

namespace ergon::allocate {

// Tolerance of ARADA's schemes for "takes no longer". On a GPU every clock has some effect, because caches
// and kernel tails depend on it.
inline constexpr double kNoLonger = 0.01;

// Default slack. Without slack nothing can be saved, because every clock affects every kernel.
inline constexpr double kDefaultGpuSlack = 0.02;

struct GpuRequest {
  double slack = 0;  // allowed time beyond race to idle, as a share of it
  Seconds switch_time;
  RingLimits limits;
};

// Plans one schedule. ARADA's schemes use neither slack nor budget; switches make vf-oh and vf-oh-q slower
// than they assume.
Result<GpuSchedule> plan(const GpuWork& work, GpuScheme scheme, const GpuRequest& request);

Seconds budget_of(const GpuWork& work, double slack);

// The problem for minimize_ring(): one clock per step, from `levels`, which are indices into work.clocks().
// Contract: ascending, the highest clock last.
Problem problem_of(const GpuWork& work, std::span<const std::size_t> levels, Seconds switch_time,
                   Seconds budget);

// The search uses this many evenly spaced clocks, and `kept`, an index into work.clocks(). Neighboring clocks
// differ little; more would cost time for no gain.
inline constexpr std::size_t kSearchedClocks = 48;
std::vector<std::size_t> searched_levels(const GpuWork& work, std::size_t kept);

// Index into work.clocks() of the single clock of lowest energy within the budget.
std::size_t best_single_level(const GpuWork& work, Seconds budget);

}  // namespace ergon::allocate
