#include "allocate/gpu/break_even.h"

#include <algorithm>
#include <cmath>

namespace ergon::allocate {
namespace {

// Usually enough to decide on which side of the threshold a switch time lies.
constexpr RingLimits kQuick{.search = {.labels = 64, .all_labels = 8'000}, .start_clocks = 2};
// For the other switch times.
constexpr RingLimits kThorough{.search = {.labels = 1'000, .all_labels = 24'000}, .start_clocks = 2};
constexpr double kResolution = 0.0025;

}  // namespace

Result<double> saving_at(const GpuWork& work, const BreakEvenOptions& question, Seconds switch_time) {
  const Seconds budget = budget_of(work, question.slack);
  const std::size_t single = best_single_level(work, budget);
  const std::vector<std::size_t> levels = searched_levels(work, single);
  Joules locked;
  for (std::size_t step = 0; step < work.steps().size(); ++step) locked += work.at_level(step, single).energy;
  const Joules target = locked * (1 - question.min_saving);
  const Problem problem = problem_of(work, levels, switch_time, budget);
  auto best = minimize_ring(problem, kQuick);
  if (best && best->path.energy > target && best->lower_bound <= target)
    best = minimize_ring(problem, kThorough);
  if (!best) return best.error();
  return std::max(0.0, 1 - (best->path.energy / locked).si());
}

Result<BreakEven> break_even(const GpuWork& work, const BreakEvenOptions& question) {
  BreakEven found{.switch_time = {},
                  .shortest = question.shortest,
                  .longest = question.longest,
                  .min_saving = question.min_saving};
  const auto at_shortest = saving_at(work, question, question.shortest);
  if (!at_shortest) return at_shortest.error();
  found.saving_at_shortest = *at_shortest;
  if (*at_shortest < question.min_saving) return found;
  const auto at_longest = saving_at(work, question, question.longest);
  if (!at_longest) return at_longest.error();
  if (*at_longest >= question.min_saving) {
    found.switch_time = question.longest;
    return found;
  }
  Seconds pays = question.shortest, does_not = question.longest;
  while (does_not > pays * (1 + kResolution)) {
    const Seconds middle{std::sqrt(pays.si() * does_not.si())};
    const auto saving = saving_at(work, question, middle);
    if (!saving) return saving.error();
    (*saving >= question.min_saving ? pays : does_not) = middle;
  }
  found.switch_time = pays;
  return found;
}

}  // namespace ergon::allocate
