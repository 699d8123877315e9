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

// A choice costs the same from every clock that is not its own, so it is enough to know the best of these,
// and the best that enters at another clock than that one.
void Potential::prepend(std::size_t layer) {
  const std::vector<Choice>& choices = problem_.layers[layer];
  constexpr double kNone = std::numeric_limits<double>::infinity();
  Rest* const rests = &rests_[layer * states_];
  for (std::size_t state = 0; state < states_; ++state) rests[state].cost = kNone;
  Rest best_switched{.cost = kNone}, other_switched{.cost = kNone};
  std::uint32_t best_enters = 0;
  for (std::uint32_t i = 0; i < choices.size(); ++i) {
    const Choice& choice = choices[i];
    const Rest& then = rest(layer + 1, state_after(problem_, choice));
    const auto priced = [&](Seconds time, Joules energy) {
      return Rest{energy_weight_ * energy.si() + time_weight_ * time.si(), time, energy, i};
    };
    const Rest stays = priced(choice.time + then.time, choice.energy + then.energy);
    const Rest switched = priced(choice.time_after_switch + then.time,
                                 choice.energy_after_switch + problem_.switch_energy + then.energy);
    if (stays.cost < rests[choice.enters].cost) rests[choice.enters] = stays;
    if (stays.cost < rests[problem_.levels].cost) rests[problem_.levels] = stays;
    if (switched.cost < best_switched.cost) {
      if (best_enters != choice.enters) other_switched = best_switched;
      best_switched = switched;
      best_enters = choice.enters;
    } else if (choice.enters != best_enters && switched.cost < other_switched.cost) {
      other_switched = switched;
    }
  }
  for (std::uint32_t state = 0; state < problem_.levels; ++state) {
    const Rest& switched = state == best_enters ? other_switched : best_switched;
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
  return price(problem_, std::move(choices));
}

}  // namespace ergon::allocate
