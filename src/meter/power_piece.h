#pragma once

#include "base/clock.h"
#include "base/units.h"

namespace ergon::meter {

using JoulesSquared = Quantity<Dimension{.joule = 2}>;

// Standard deviation from a variance; negative variances count as 0.
Joules root(JoulesSquared variance);

// A time span in which power jumps once, from `before` to `after`. The time of the jump is uniformly
// distributed between `jump_earliest` and `jump_latest`. If both powers are equal, the jump has no effect.
struct PowerPiece {
  Instant begin, end;
  Watts before, after;
  Instant jump_earliest, jump_latest;
  JoulesSquared noise;  // variance of the piece's energy, besides that of the jump's time
  JoulesSquared split;  // variance of the energy up to a point inside, given the energy of the whole piece

  // Expected energy. Contract: begin <= from <= to <= end.
  Joules energy(Instant from, Instant to) const;
  // Variance of that energy, from the jump's unknown time and from noise.
  JoulesSquared variance(Instant from, Instant to) const;
  Watts power_at(Instant moment) const;
  Watts highest(Instant from, Instant to) const;
};

PowerPiece flat_piece(Instant begin, Instant end, Watts power);

}  // namespace ergon::meter
