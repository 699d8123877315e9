#pragma once

#include "base/clock.h"
#include "base/units.h"

namespace ergon::meter {

using JoulesSquared = Quantity<Dimension{.joule = 2}>;

// The standard deviation of a variance.
Joules root(JoulesSquared variance);

// A piece of time during which power was `before`, and from some moment on `after`. Of that moment only the
// limits are known, and that it lies anywhere between them equally likely. Where both powers are equal there
// is nothing to know.
struct PowerPiece {
  Instant begin, end;
  Watts before, after;
  Instant jump_earliest, jump_latest;
  JoulesSquared noise;  // of the piece's whole energy, from what is not its shape
  JoulesSquared split;  // of the energy before any moment inside it, when that of the whole is known

  // What is expected between two moments of the piece. Contract: begin <= from <= to <= end.
  Joules energy(Instant from, Instant to) const;
  // How uncertain that is for not knowing the moment of the jump, and for noise.
  JoulesSquared variance(Instant from, Instant to) const;
  Watts power_at(Instant moment) const;
  // The highest power between two moments.
  Watts highest(Instant from, Instant to) const;
};

PowerPiece flat_piece(Instant begin, Instant end, Watts power);

}  // namespace ergon::meter
