// With the jump at s, the energy between times u < v is before (v - u) + (after - before) h(s), where h(s) =
// clamp(v - s, 0, v - u) is the time after the jump. s is uniform, so mean and variance of h are integrals
// over three ranges: s before u, between u and v, after v.

#include "meter/power_piece.h"

#include <algorithm>
#include <cmath>

namespace ergon::meter {
namespace {

// Mean and variance of the time after the jump, in seconds.
struct TimeAfter {
  double mean = 0, variance = 0;
};

TimeAfter time_after(const PowerPiece& piece, Instant from, Instant to) {
  const double length = (to - from).si();
  const double earliest = (piece.jump_earliest - from).si(), latest = (piece.jump_latest - from).si();
  const double width = latest - earliest;
  if (width <= 0) return {std::clamp(length - earliest, 0.0, length), 0};
  const double low = std::clamp(earliest, 0.0, length), high = std::clamp(latest, 0.0, length);
  const double whole = std::max(0.0, std::min(latest, 0.0) - earliest);  // jumps before `from`
  const auto cube = [](double x) { return x * x * x; };
  const auto square = [](double x) { return x * x; };
  const double first = whole * length + (square(length - low) - square(length - high)) / 2;
  const double second = whole * length * length + (cube(length - low) - cube(length - high)) / 3;
  const double mean = first / width;
  return {mean, std::max(0.0, second / width - mean * mean)};
}

}  // namespace

Joules root(JoulesSquared variance) { return Joules{std::sqrt(std::max(0.0, variance.si()))}; }

Joules PowerPiece::energy(Instant from, Instant to) const {
  return before * (to - from) + (after - before) * Seconds{time_after(*this, from, to).mean};
}

JoulesSquared PowerPiece::variance(Instant from, Instant to) const {
  const Watts jump = after - before;
  const double share = end > begin ? ((to - from) / (end - begin)).si() : 0;
  return JoulesSquared{jump.si() * jump.si() * time_after(*this, from, to).variance} + noise * share;
}

Watts PowerPiece::power_at(Instant moment) const {
  if (moment < jump_earliest) return before;
  if (moment >= jump_latest) return after;
  return before + (after - before) * ((moment - jump_earliest) / (jump_latest - jump_earliest)).si();
}

Watts PowerPiece::highest(Instant from, Instant to) const {
  return std::max(power_at(std::max(from, begin)), power_at(std::min(to, end)));
}

PowerPiece flat_piece(Instant begin, Instant end, Watts power) {
  return {begin, end, power, power, begin, begin, {}, {}};
}

}  // namespace ergon::meter
