#pragma once

#include <span>
#include <vector>

#include "allocate/demand.h"
#include "allocate/hardware.h"
#include "allocate/layer_setting.h"
#include "allocate/layer_times.h"
#include "allocate/problem.h"

namespace ergon::allocate {

// The settings that the optimizer may choose.
struct SearchSpace {
  std::vector<Hertz> clocks;  // ascending, the highest clock last
  std::vector<double> words;  // bandwidths, in words per cycle
  bool tails = false;         // a layer may continue at the highest clock after a stall (tail_lines())
  bool early_switch = false;  // the switch after a layer may overlap with its stalls
};

// All clock levels. All bandwidth levels only if a slower memory saves energy; otherwise full bandwidth is
// never worse.
SearchSpace all_levels(const Hardware& hardware);

struct Choices {
  Problem problem;
  std::vector<std::vector<LayerSetting>> settings;  // of each choice of each layer

  std::vector<LayerSetting> settings_of(const Path& path) const;
};

Choices choices_of(std::span<const LayerDemand> demands, const Hardware& hardware, const LayerTimes& times,
                   const SearchSpace& space, Seconds budget);

}  // namespace ergon::allocate
