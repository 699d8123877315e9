#pragma once

#include "base/clock.h"
#include "base/units.h"
#include "meter/power_piece.h"

namespace ergon::meter {

// An update of a power sensor: the mean power over the averaging window that ended at `at`.
struct SensorUpdate {
  Instant at;
  Seconds bracket;  // uncertainty of `at`: within +- half of this
  Watts power;
  Seconds window;
  JoulesSquared noise;  // variance of the energy since the previous update
  JoulesSquared split;  // variance of the energy up to `at`, given the energy of a longer span
};

}  // namespace ergon::meter
