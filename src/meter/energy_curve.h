#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "meter/power_piece.h"

namespace ergon::meter {

// A moment on an energy curve.
struct CurvePoint {
  Instant at;
  PowerPiece piece;         // that it lies in
  Joules at_begin, at_end;  // of the piece, since the curve began
  JoulesSquared variance_at_begin, variance_at_end;

  Joules energy() const { return at_begin + piece.energy(piece.begin, at); }
  JoulesSquared variance() const { return variance_at_begin + piece.variance(piece.begin, at); }
};

struct EnergyBetween {
  Joules energy;
  JoulesSquared variance;
};
// Contract: from.at <= to.at, and both are of one curve.
EnergyBetween between(const CurvePoint& from, const CurvePoint& to);

// Energy over time, from pieces of power. Keeps only as many pieces as somebody may still ask about.
class EnergyCurve {
 public:
  // Pieces follow each other; one that begins later than the last ended leaves a hole, which is filled with
  // a jump at an unknown moment.
  void append(PowerPiece piece);
  // The curve is known up to here.
  std::optional<Instant> end() const;
  std::optional<Instant> begin() const;
  // Nothing when it is not known yet, or no longer.
  std::optional<CurvePoint> at(Instant moment) const;
  // Nobody will ask about moments before this one.
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
