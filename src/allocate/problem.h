#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/units.h"

namespace ergon::allocate {

// Relative tolerance: sums in another order differ in their last digits.
inline constexpr double kRounding = 1e-12;

// One setting of a layer in the optimization problem. Contract: time and energy are not lower after a switch.
struct LayerChoice {
  static constexpr std::uint32_t kAnywhere = UINT32_MAX;

  std::uint32_t enters = 0;  // clock level at its start
  std::uint32_t leaves = 0;  // clock level at its end; kAnywhere if the next switch is already paid
  Seconds time;
  Seconds time_after_switch;  // with a switch before it
  Joules energy;
  Joules energy_after_switch;  // without the energy of the switch itself
};

// Choose one setting per layer: minimum energy, total time within the budget. The clock is at `top` before
// the first layer and returns there after the last. A switch costs `switch_energy` and delays the layer after
// it; the final switch takes `switch_time`.
struct Problem {
  std::vector<std::vector<LayerChoice>> layers;
  std::uint32_t levels = 1;
  std::uint32_t top = 0;
  Seconds budget;
  Seconds switch_time;
  Joules switch_energy;
};

// One choice per layer, with total time and energy.
struct Path {
  std::vector<std::uint32_t> choices;
  Seconds time;
  Joules energy;
};

// Sums time and energy. Contract: one valid index per layer.
Path path_of(const Problem& problem, std::vector<std::uint32_t> choices);

}  // namespace ergon::allocate
