#pragma once

#include <cstdint>
#include <vector>

#include "allocate/problem.h"

namespace ergon::allocate {

// What the rest of a network costs at least when time has a price and no limit: for every layer and clock the
// cheapest way to the end, by dynamic programming from the last layer to the first. With the price of time as
// the multiplier of the budget this is the Lagrangian relaxation of the problem, and no schedule within the
// budget costs less than cost() - price x budget.
class Potential {
 public:
  // A state is a clock level, or `levels` when the next change of clock has been paid.
  struct Rest {
    double cost = 0;  // energy + price x time
    Seconds time;
    Joules energy;
    std::uint32_t choice = 0;  // of the next layer
  };

  // Weights of energy (1/J) and of time (1/s).
  Potential(const Problem& problem, double energy_weight, double time_weight);

  double time_weight() const { return time_weight_; }
  // What remains from this layer on.
  const Rest& rest(std::size_t layer, std::uint32_t state) const { return rests_[layer * states_ + state]; }
  // The cheapest way through layers from `layer` on, appended.
  void follow(std::size_t layer, std::uint32_t state, std::vector<std::uint32_t>& choices) const;
  // Of the whole network.
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

// The state that a choice leaves behind.
inline std::uint32_t state_after(const Problem& problem, const Choice& choice) {
  return choice.leaves == Choice::kAnywhere ? problem.levels : choice.leaves;
}

}  // namespace ergon::allocate
