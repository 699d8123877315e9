#include "allocate/problem.h"

#include <utility>

namespace ergon::allocate {

Path path_of(const Problem& problem, std::vector<std::uint32_t> choices) {
  Path path;
  std::uint32_t clock = problem.top;
  for (std::size_t layer = 0; layer < choices.size(); ++layer) {
    const LayerChoice& choice = problem.layers[layer][choices[layer]];
    const bool switches = clock != choice.enters && clock != LayerChoice::kAnywhere;
    path.time += switches ? choice.time_after_switch : choice.time;
    path.energy += switches ? choice.energy_after_switch + problem.switch_energy : choice.energy;
    clock = choice.leaves;
  }
  if (clock != problem.top && clock != LayerChoice::kAnywhere) {
    path.time += problem.switch_time;
    path.energy += problem.switch_energy;
  }
  path.choices = std::move(choices);
  return path;
}

}  // namespace ergon::allocate
