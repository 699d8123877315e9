#include "meter/energy_curve.h"

#include <algorithm>

#include "base/contract.h"

namespace ergon::meter {

EnergyBetween between(const CurvePoint& from, const CurvePoint& to) {
  ERGON_EXPECTS(from.at <= to.at);
  EnergyBetween result{to.energy() - from.energy(), from.piece.split + to.piece.split};
  if (from.piece.begin == to.piece.begin) {
    result.variance += to.piece.variance(from.at, to.at);
  } else {
    result.variance += from.piece.variance(from.at, from.piece.end);
    result.variance += to.variance_at_begin - from.variance_at_end;
    result.variance += to.piece.variance(to.piece.begin, to.at);
  }
  return result;
}

void EnergyCurve::append(PowerPiece piece) {
  if (!entries_.empty()) {
    const PowerPiece& last = entries_.back().piece;
    if (piece.end <= last.end) return;
    if (piece.begin < last.end) piece.begin = last.end;
    if (piece.begin > last.end)
      append({last.end, piece.begin, last.after, piece.before, last.end, piece.begin, {}, {}});
  }
  entries_.push_back({piece, total_, variance_});
  total_ += piece.energy(piece.begin, piece.end);
  variance_ += piece.variance(piece.begin, piece.end);
}

std::optional<Instant> EnergyCurve::end() const {
  if (entries_.empty()) return std::nullopt;
  return entries_.back().piece.end;
}

std::optional<Instant> EnergyCurve::begin() const {
  if (entries_.empty()) return std::nullopt;
  return entries_.front().piece.begin;
}

std::optional<CurvePoint> EnergyCurve::at(Instant moment) const {
  const auto after = std::upper_bound(entries_.begin(), entries_.end(), moment,
                                      [](Instant t, const Entry& entry) { return t < entry.piece.begin; });
  if (after == entries_.begin()) return std::nullopt;
  const Entry& entry = *(after - 1);
  if (moment > entry.piece.end) return std::nullopt;
  const PowerPiece& piece = entry.piece;
  return CurvePoint{moment,
                    piece,
                    entry.at_begin,
                    entry.at_begin + piece.energy(piece.begin, piece.end),
                    entry.variance_at_begin,
                    entry.variance_at_begin + piece.variance(piece.begin, piece.end)};
}

void EnergyCurve::forget_before(Instant moment) {
  while (entries_.size() > 1 && entries_.front().piece.end < moment) entries_.pop_front();
}

}  // namespace ergon::meter
