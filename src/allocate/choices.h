#pragma once

#include <span>
#include <vector>

#include "allocate/demand.h"
#include "allocate/hardware.h"
#include "allocate/layer_times.h"
#include "allocate/problem.h"
#include "allocate/setting.h"

namespace ergon::allocate {

// What the optimiser may choose from.
struct Freedom {
  std::vector<Hertz> clocks;  // ascending, the highest clock last
  std::vector<double> words;  // a cycle
  bool tails = false;         // a layer may go on at the highest clock after a wait (tail_lines())
  bool early_switch = false;  // a layer may pay the change of clock after it out of its own waiting time
};

// All levels. Bandwidth is free only where slowing the memory saves energy; elsewhere full bandwidth is never
// worse.
Freedom all_levels(const Hardware& hardware);

struct Choices {
  Problem problem;
  std::vector<std::vector<Setting>> settings;  // of each choice

  std::vector<Setting> settings_of(const Path& path) const;
};

Choices choices_of(std::span<const Demand> demands, const Hardware& hardware, const LayerTimes& times,
                   const Freedom& freedom, Seconds budget);

}  // namespace ergon::allocate
