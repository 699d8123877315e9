#include "allocate/potential.h"

#include <limits>

namespace ergon::allocate {

Potential::Potential(const Problem& problem, double energy_weight, double time_weight)
    : problem_(problem),
      energy_weight_(energy_weight),
      time_weight_(time_weight),
      states_(problem.levels + 1),
      rests_((problem.layers.size() + 1) * states_) {
  close();
  for (std::size_t layer = problem.layers.size(); layer-- > 0;) prepend(layer);
}

// After the last layer the clock goes back to the top.
void Potential::close() {
  for (std::uint32_t state = 0; state < problem_.levels; ++state) {
    if (state == problem_.top) continue;
    Rest& rest = rests_[problem_.layers.size() * states_ + state];
    rest.time = problem_.switch_time;
    rest.energy = problem_.switch_energy;
    rest.cost = energy_weight_ * rest.energy.si() + time_weight_ * rest.time.si();
  }
}

void Potential::prepend(std::size_t layer) {
  for (std::uint32_t state = 0; state < states_; ++state) {
    Rest& best = rests_[layer * states_ + state];
    best.cost = std::numeric_limits<double>::infinity();
    const std::vector<Choice>& choices = problem_.layers[layer];
    for (std::uint32_t i = 0; i < choices.size(); ++i) {
      const Choice& choice = choices[i];
      const bool switches = state != choice.enters && state != problem_.levels;
      const Rest& then = rest(layer + 1, state_after(problem_, choice));
      const Seconds time = (switches ? choice.time_after_switch : choice.time) + then.time;
      const Joules energy =
          (switches ? choice.energy_after_switch + problem_.switch_energy : choice.energy) + then.energy;
      const double cost = energy_weight_ * energy.si() + time_weight_ * time.si();
      if (cost < best.cost) best = {cost, time, energy, i};
    }
  }
}

void Potential::follow(std::size_t layer, std::uint32_t state, std::vector<std::uint32_t>& choices) const {
  for (; layer < problem_.layers.size(); ++layer) {
    choices.push_back(rest(layer, state).choice);
    state = state_after(problem_, problem_.layers[layer][choices.back()]);
  }
}

Path Potential::path() const {
  std::vector<std::uint32_t> choices;
  follow(0, problem_.top, choices);
  return price(problem_, std::move(choices));
}

}  // namespace ergon::allocate
