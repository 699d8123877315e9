#pragma once

#include <cstdint>
#include <vector>

#include "allocate/problem.h"

namespace ergon::allocate {

// Cost-to-go with a price on time and no budget: for every layer and clock the cheapest path to the end, by
// dynamic programming from the last layer to the first. With the price as the multiplier of the budget this
// is the Lagrangian relaxation of the problem: no schedule within the budget costs less than cost - price x
// budget.
class Potential {
 public:
  // A state is a clock level, or `levels` if the next switch is already paid.
  struct Rest {
    double cost = 0;  // energy + price x time
    Seconds time;
    Joules energy;
    std::uint32_t choice = 0;  // of the next layer
  };

  // Weights of energy (1/J) and of time (1/s).
  Potential(const Problem& problem, double energy_weight, double time_weight);

  double time_weight() const { return time_weight_; }
  // Cost from this layer to the end.
  const Rest& rest(std::size_t layer, std::uint32_t state) const { return rests_[layer * states_ + state]; }
  // Appends the choices of the cheapest path from `layer` to the end.
  void follow(std::size_t layer, std::uint32_t state, std::vector<std::uint32_t>& choices) const;
  // Cost of the whole network.
  const Rest& whole() const { return rest(0, problem_.top); }
  Path path() const;

 private:
  void close();
  void prepend(std::size_t layer);

  const Problem& problem_;
  double energy_weight_, time_weight_;
  std::size_t states_;
  std::vector<Rest> rests_;
};

// The state after a choice.
inline std::uint32_t state_after(const Problem& problem, const LayerChoice& choice) {
  return choice.leaves == LayerChoice::kAnywhere ? problem.levels : choice.leaves;
}

}  // namespace ergon::allocate
