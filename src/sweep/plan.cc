#include "sweep/plan.h"

#include <utility>

#include "base/random.h"

namespace ergon::sweep {

std::vector<Run> plan(const Grid& grid, std::uint64_t seed) {
  std::vector<Run> runs;
  for (const std::string& network : grid.networks) {
    for (const std::optional<Hertz>& clock : grid.clocks) {
      for (std::int64_t repetition = 1; repetition <= grid.repetitions; ++repetition)
        runs.push_back({network, grid.batch, grid.scenario, clock, repetition});
    }
  }
  // Fisher and Yates.
  Random random(seed);
  for (std::size_t i = runs.size(); i > 1; --i) std::swap(runs[i - 1], runs[random.below(i)]);
  return runs;
}

}  // namespace ergon::sweep
