#pragma once

#include <span>
#include <string>
#include <vector>

#include "allocate/demand.h"
#include "allocate/hardware.h"
#include "allocate/scheme.h"
#include "allocate/setting.h"

namespace ergon::allocate {

// Algorithm 1 of ARADA (Azhar, Zouzoula and Trancoso, Computing Frontiers 2023), for its schemes
// (section 4.3). A layer that waits for memory gets the clock at which it would not wait (eq. 1), less what a
// change of clock takes; a layer that does not gets the bandwidth it requires. The paper prints eq. 2 as the
// reduction, and its Table 1 shows the allocation; this gives the allocation. Only `ideal` chooses bandwidths
// freely. Contract: is_arada(scheme).
std::vector<Setting> allocate_arada(std::span<const Demand> demands, const Hardware& hardware, Scheme scheme);

// The nine networks that the paper evaluates, by their names in the zoo, in the order of its Table 4.
const std::vector<std::string>& arada_networks();

// Whether a scheme lowers the clock of a layer, were it not for levels: its wait is longer than a change of
// clock.
bool lowers_clock(const Demand& demand, const Hardware& hardware, Scheme scheme);

// Energy of a layer relative to race to idle, both ways the paper can be read:
// by work, (V/Vmax)^2, because the cycles of work are the same at any clock;
double energy_by_work(const Hardware& hardware, Hertz clock);
// and by eq. 6 as printed, (V/Vmax)^2 x F/Fmax x Ttotal / Texecution, for a layer whose clock a scheme
// lowers. It charges the whole time of the layer, so a clock that was rounded up costs more than the layer
// can use, more than 1 even.
double energy_as_printed(const Demand& demand, const Hardware& hardware, Hertz clock);

}  // namespace ergon::allocate
