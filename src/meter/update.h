#pragma once

#include "base/clock.h"
#include "base/units.h"
#include "meter/power_piece.h"

namespace ergon::meter {

// A power reading that became new: the mean over the window that ended then.
struct Update {
  Instant at;
  Seconds bracket;  // how well the moment is known: it lies within half of this on either side
  Watts power;
  Seconds window;
  JoulesSquared noise;  // of the energy of the time since the update before
  JoulesSquared split;  // of the energy up to this moment, when that of a longer time is known
};

}  // namespace ergon::meter
