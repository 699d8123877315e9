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

// After the last layer the clock returns to the top.
void Potential::close() {
  for (std::uint32_t state = 0; state < problem_.levels; ++state) {
    if (state == problem_.top) continue;
    Rest& rest = rests_[problem_.layers.size() * states_ + state];
    rest.time = problem_.switch_time;
    rest.energy = problem_.switch_energy;
    rest.cost = energy_weight_ * rest.energy.si() + time_weight_ * rest.time.si();
  }
}

// A choice costs the same from every other clock, and no more from its own. So it suffices to keep the best
// choice with a switch and, for every clock, the best choice without.
void Potential::prepend(std::size_t layer) {
  const std::vector<LayerChoice>& choices = problem_.layers[layer];
  constexpr double kNone = std::numeric_limits<double>::infinity();
  Rest* const rests = &rests_[layer * states_];
  for (std::size_t state = 0; state < states_; ++state) rests[state].cost = kNone;
  Rest switched{.cost = kNone};
  for (std::uint32_t i = 0; i < choices.size(); ++i) {
    const LayerChoice& choice = choices[i];
    const Rest& then = rest(layer + 1, state_after(problem_, choice));
    const auto consider = [&](Rest& best, Seconds time, Joules energy) {
      const double cost = energy_weight_ * energy.si() + time_weight_ * time.si();
      if (cost < best.cost) best = {cost, time, energy, i};
    };
    const Seconds time = choice.time + then.time;
    const Joules energy = choice.energy + then.energy;
    consider(rests[choice.enters], time, energy);
    consider(rests[problem_.levels], time, energy);
    consider(switched, choice.time_after_switch + then.time,
             choice.energy_after_switch + problem_.switch_energy + then.energy);
  }
  for (std::uint32_t state = 0; state < problem_.levels; ++state) {
    if (switched.cost < rests[state].cost) rests[state] = switched;
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
  return path_of(problem_, std::move(choices));
}

}  // namespace ergon::allocate
