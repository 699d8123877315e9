#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/units.h"

namespace ergon::allocate {

// Sums of the same terms in another order differ in their last digits.
inline constexpr double kRounding = 1e-12;

// A layer at one setting, as the optimiser sees it. Contract: nothing is less after a change of clock.
struct Choice {
  static constexpr std::uint32_t kAnywhere = UINT32_MAX;

  std::uint32_t enters = 0;  // clock level at its begin
  std::uint32_t leaves =
      0;  // clock level at its end; kAnywhere when it has paid the next change of clock already
  Seconds time;
  Seconds time_after_switch;  // when the clock had to change for it
  Joules energy;
  Joules energy_after_switch;  // the change itself not included
};

// Layers in a row, one choice for each, total time within a budget, least energy. The clock is at `top`
// before the first layer and has to be there again after the last. A change of clock costs `switch_energy`,
// and time on the layer that it happens for; the last one takes `switch_time`.
struct Problem {
  std::vector<std::vector<Choice>> layers;
  std::uint32_t levels = 1;
  std::uint32_t top = 0;
  Seconds budget;
  Seconds switch_time;
  Joules switch_energy;
};

// One choice for each layer, and what it comes to.
struct Path {
  std::vector<std::uint32_t> choices;
  Seconds time;
  Joules energy;
};

// Adds up. Contract: an index into every layer's choices.
Path price(const Problem& problem, std::vector<std::uint32_t> choices);

}  // namespace ergon::allocate
