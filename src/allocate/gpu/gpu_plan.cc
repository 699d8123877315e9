#include "allocate/gpu/gpu_plan.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "allocate/problem.h"

namespace ergon::allocate {
namespace {

std::vector<Hertz> all_at(const GpuWork& work, Hertz clock) {
  std::vector<Hertz> clocks(work.steps().size(), clock);
  return clocks;
}

StepCost total_at_level(const GpuWork& work, std::size_t level) {
  StepCost sum;
  for (std::size_t step = 0; step < work.steps().size(); ++step) {
    const StepCost cost = work.at_level(step, level);
    sum.time += cost.time;
    sum.energy += cost.energy;
  }
  return sum;
}

// The lowest clock of the GPU that is at least `wanted`.
Hertz clock_at_least(const GpuWork& work, Hertz wanted) {
  return *std::lower_bound(work.clocks().begin(), work.clocks().end() - 1, wanted);
}

std::vector<Hertz> choose_arada(const GpuWork& work, GpuScheme scheme, Seconds switch_time) {
  std::vector<Hertz> clocks = all_at(work, work.top());
  for (std::size_t step = 0; step < clocks.size(); ++step) {
    const Seconds at_top = work.at(step, work.top()).time;
    const bool memory_bound = work.steps()[step].bound == device::Bound::memory;
    if (!memory_bound || (scheme != GpuScheme::ideal && at_top <= switch_time)) continue;
    const Hertz lowest = work.min_clock(step, at_top * (1 + kNoLonger));
    clocks[step] = scheme == GpuScheme::vf_oh_q ? clock_at_least(work, lowest) : lowest;
  }
  return clocks;
}

// The clock of lowest energy at which a step, with both switches, stays within its own time plus slack.
std::vector<Hertz> choose_greedily(const GpuWork& work, const GpuRequest& request) {
  std::vector<Hertz> clocks = all_at(work, work.top());
  const Seconds switching = request.switch_time * 2;
  const Joules switch_energy = work.switch_power() * switching;
  for (std::size_t step = 0; step < clocks.size(); ++step) {
    const StepCost at_top = work.at(step, work.top());
    const Seconds allowed = at_top.time * (1 + request.slack);
    Joules lowest = at_top.energy;
    for (std::size_t level = 0; level + 1 < work.clocks().size(); ++level) {
      const StepCost cost = work.at_level(step, level);
      if (cost.time + switching > allowed || cost.energy + switch_energy >= lowest) continue;
      lowest = cost.energy + switch_energy;
      clocks[step] = work.clocks()[level];
    }
  }
  return clocks;
}

Result<GpuSchedule> choose_optimal(const GpuWork& work, const GpuRequest& request) {
  const Seconds budget = budget_of(work, request.slack);
  const std::vector<std::size_t> levels = searched_levels(work, best_single_level(work, budget));
  const auto optimum = minimize_ring(problem_of(work, levels, request.switch_time, budget), request.limits);
  if (!optimum) return optimum.error();
  std::vector<Hertz> clocks;
  for (const std::uint32_t choice : optimum->path.choices) clocks.push_back(work.clocks()[levels[choice]]);
  GpuSchedule best = evaluate(work, GpuScheme::optimal, std::move(clocks), request.switch_time);
  // A truncated search over fewer clocks may miss what simpler schemes find.
  for (const GpuScheme simpler : {GpuScheme::one_clock, GpuScheme::greedy}) {
    auto other = plan(work, simpler, request);
    if (!other) return other.error();
    if (other->energy >= best.energy * (1 - kRounding)) continue;
    best = std::move(*other);
    best.scheme = GpuScheme::optimal;
  }
  best.lower_bound = std::min(optimum->lower_bound, best.energy);
  return best;
}

}  // namespace

Seconds budget_of(const GpuWork& work, double slack) {
  return total_at_level(work, work.clocks().size() - 1).time * (1 + slack);
}

std::size_t best_single_level(const GpuWork& work, Seconds budget) {
  std::size_t best = work.clocks().size() - 1;
  Joules lowest = total_at_level(work, best).energy;
  for (std::size_t level = 0; level < work.clocks().size(); ++level) {
    const StepCost total = total_at_level(work, level);
    if (total.time > budget * (1 + kRounding) || total.energy >= lowest) continue;
    lowest = total.energy;
    best = level;
  }
  return best;
}

std::vector<std::size_t> searched_levels(const GpuWork& work, std::size_t kept) {
  const std::size_t highest = work.clocks().size() - 1;
  std::set<std::size_t> levels{highest, kept};
  const std::size_t wanted = std::min(kSearchedClocks, highest + 1);
  for (std::size_t i = 0; i < wanted && wanted > 1; ++i) levels.insert(i * highest / (wanted - 1));
  return {levels.begin(), levels.end()};
}

Problem problem_of(const GpuWork& work, std::span<const std::size_t> levels, Seconds switch_time,
                   Seconds budget) {
  Problem problem;
  problem.levels = static_cast<std::uint32_t>(levels.size());
  problem.top = problem.levels - 1;
  problem.budget = budget;
  problem.switch_time = switch_time;
  problem.switch_energy = work.switch_power() * switch_time;
  for (std::size_t step = 0; step < work.steps().size(); ++step) {
    std::vector<LayerChoice> choices;
    for (std::uint32_t i = 0; i < problem.levels; ++i) {
      const StepCost cost = work.at_level(step, levels[i]);
      choices.push_back({.enters = i,
                         .leaves = i,
                         .time = cost.time,
                         .time_after_switch = cost.time + switch_time,
                         .energy = cost.energy,
                         .energy_after_switch = cost.energy});
    }
    problem.layers.push_back(std::move(choices));
  }
  return problem;
}

Result<GpuSchedule> plan(const GpuWork& work, GpuScheme scheme, const GpuRequest& request) {
  const auto evaluated = [&](std::vector<Hertz> clocks) {
    return evaluate(work, scheme, std::move(clocks), request.switch_time);
  };
  switch (scheme) {
    case GpuScheme::race_to_idle:
      return evaluated(all_at(work, work.top()));
    case GpuScheme::one_clock:
      return evaluated(all_at(work, work.clocks()[best_single_level(work, budget_of(work, request.slack))]));
    case GpuScheme::ideal:
    case GpuScheme::vf_oh:
    case GpuScheme::vf_oh_q:
      return evaluated(choose_arada(work, scheme, request.switch_time));
    case GpuScheme::greedy:
      return evaluated(choose_greedily(work, request));
    case GpuScheme::optimal:
      break;
  }
  return choose_optimal(work, request);
}

}  // namespace ergon::allocate
