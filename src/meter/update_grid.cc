#include "meter/update_grid.h"

#include <algorithm>
#include <cmath>

#include "base/square.h"

namespace ergon::meter {
namespace {

constexpr double kPeriodSpread = 0.02;   // of a nominal period: standard deviation
constexpr double kEventJitter = 0.0003;  // s, of one event
constexpr double kPhaseWalk = 0.0001;    // s per period, of the phase
constexpr double kOffGrid = 4;           // standard deviations from which on an event is not on the grid
constexpr double kMaxBracket = 0.75;     // of the period: wider brackets may hold two events
constexpr double kLost = 0.2;            // of the period: standard deviation at which the count is uncertain
constexpr double kAmbiguous = 3;         // standard deviations

}  // namespace

void UpdateGrid::begin(Instant at, Seconds bracket) {
  at_ = at;
  phase_variance_ = square(bracket.si()) / 12 + square(kEventJitter);
  covariance_ = 0;
  events_ = 1;
}

void UpdateGrid::add(Instant at, Seconds bracket) {
  const double own = square(bracket.si()) / 12 + square(kEventJitter);
  if (events_ == 0) {
    begin(at, bracket);
    if (nominal_) period_ = nominal_->si(), period_variance_ = square(kPeriodSpread * period_);
    return;
  }
  const double since = (at - at_).si();
  if (period_ <= 0) {
    if (since <= 0) return;
    period_ = since;
    period_variance_ = phase_variance_ + own;
    covariance_ = own;
    phase_variance_ = own;
    at_ = at;
    events_ = 2;
    return;
  }
  if (bracket.si() > kMaxBracket * period_) return;
  const double n = std::round(since / period_);
  if (n < 1) return;
  // Prediction of this event, and its correction.
  double phase =
      phase_variance_ + 2 * n * covariance_ + square(n) * period_variance_ + n * square(kPhaseWalk);
  double cross = covariance_ + n * period_variance_;
  const double innovation = since - n * period_, variance = phase + own;
  if (square(innovation) > square(kOffGrid) * variance || std::sqrt(phase) > kLost * period_)
    return begin(at, bracket);
  const double gain = phase / variance, period_gain = cross / variance;
  at_ = at_ + Seconds{n * period_ + gain * innovation};
  period_ += period_gain * innovation;
  period_variance_ -= period_gain * cross;
  covariance_ = cross * (1 - gain);
  phase_variance_ = phase * (1 - gain);
  ++events_;
}

GridTime UpdateGrid::event(double periods) const {
  const double variance =
      phase_variance_ + 2 * periods * covariance_ + square(periods) * period_variance_ + square(kEventJitter);
  return {at_ + Seconds{periods * period_}, Seconds{std::sqrt(std::max(0.0, variance))}};
}

GridTime UpdateGrid::nearest(Instant moment) const {
  return event(std::round((moment - at_).si() / period_));
}

std::optional<GridTime> UpdateGrid::last_before(Instant moment) const {
  const GridTime near = nearest(moment);
  if (Seconds{std::fabs((moment - near.at).si())} < near.deviation * kAmbiguous) return std::nullopt;
  return event(std::floor((moment - at_).si() / period_));
}

}  // namespace ergon::meter
