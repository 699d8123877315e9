#pragma once

#include <span>
#include <string>
#include <vector>

#include "allocate/demand.h"
#include "allocate/hardware.h"
#include "allocate/layer_setting.h"
#include "allocate/scheme.h"

namespace ergon::allocate {

// Algorithm 1 of ARADA (Azhar, Zouzoula and Trancoso, Computing Frontiers 2023), for its schemes
// (section 4.3). A layer that stalls on memory gets the clock at which it would not stall (eq. 1), after
// deducting the switch time; a layer that does not stall gets the bandwidth it requires. Eq. 2 of the paper
// gives the reduction and its Table 1 the allocation; this returns the allocation. Only `ideal` uses
// arbitrary bandwidths. Contract: is_arada(scheme).
std::vector<LayerSetting> allocate_arada(std::span<const LayerDemand> demands, const Hardware& hardware,
                                         Scheme scheme);

// The nine networks of the paper by their zoo names, in the order of its Table 4.
const std::vector<std::string>& arada_networks();

// Whether a scheme lowers the clock of a layer before rounding to levels: its stall is longer than a switch.
bool lowers_clock(const LayerDemand& demand, const Hardware& hardware, Scheme scheme);

// Energy of a layer relative to race to idle, in the two readings of the paper.
// By work: (V/Vmax)^2, because the number of work cycles does not depend on the clock.
double energy_by_work(const Hardware& hardware, Hertz clock);
// By eq. 6 as printed: (V/Vmax)^2 x F/Fmax x Ttotal / Texecution, for a layer whose clock is lowered. It
// charges the whole duration of the layer, so a clock that was rounded up can give a ratio above 1.
double energy_as_printed(const LayerDemand& demand, const Hardware& hardware, Hertz clock);

}  // namespace ergon::allocate
