#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "meter/power_piece.h"

namespace ergon::meter {

// A point on an energy curve.
struct CurvePoint {
  Instant at;
  PowerPiece piece;         // the piece that contains `at`
  Joules at_begin, at_end;  // energy at the ends of the piece, since the start of the curve
  JoulesSquared variance_at_begin, variance_at_end;

  Joules energy() const { return at_begin + piece.energy(piece.begin, at); }
  JoulesSquared variance() const { return variance_at_begin + piece.variance(piece.begin, at); }
};

struct EnergyBetween {
  Joules energy;
  JoulesSquared variance;
};
// Contract: from.at <= to.at; both points are on the same curve.
EnergyBetween between(const CurvePoint& from, const CurvePoint& to);

// Energy as a function of time, from pieces of power. Old pieces are discarded on request.
class EnergyCurve {
 public:
  // Contract: pieces are in order of time. A gap between two pieces is filled with a jump at an unknown time.
  void append(PowerPiece piece);
  // End of the last piece.
  std::optional<Instant> end() const;
  std::optional<Instant> begin() const;
  // Empty if `moment` is after the end of the curve or was discarded.
  std::optional<CurvePoint> at(Instant moment) const;
  // Discards pieces that end before `moment`.
  void forget_before(Instant moment);
  std::size_t kept() const { return entries_.size(); }

 private:
  struct Entry {
    PowerPiece piece;
    Joules at_begin;
    JoulesSquared variance_at_begin;
  };
  std::deque<Entry> entries_;
  Joules total_;
  JoulesSquared variance_;
};

}  // namespace ergon::meter
