#include "meter/update_track.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ergon::meter {
namespace {

// After this many periods without a change, an update with an equal value is assumed.
constexpr double kOverdue = 1.5;

// Measured jitter of the timestamps in the driver's buffer (H200).
constexpr Seconds kSampleBracket{0.005};

}  // namespace

bool UpdateTrack::plausible(Watts power) {
  if (power >= Watts{0} && power <= highest_) return true;
  ++dropped_;
  return false;
}

SensorUpdate UpdateTrack::update(Instant at, Seconds bracket, Watts power) {
  const Seconds since = last_update_ ? at - *last_update_ : facts_.period;
  const Joules noise = facts_.noise * since;
  last_update_ = at;
  value_ = power;
  ++updates_;
  return {at, bracket, power, facts_.window, noise * noise, {}};
}

std::optional<SensorUpdate> UpdateTrack::read(Instant at, Watts power) {
  if (!plausible(power)) return std::nullopt;
  const std::optional<Instant> before = last_read_;
  last_read_ = at;
  if (!before) {  // age of the first reading: half a period on average
    changed_ = at;
    return update(at + facts_.period * -0.5, facts_.period, power);
  }
  if (power != value_ || std::exchange(after_failure_, false)) {
    after_failure_ = false;
    changed_ = at;
    const Seconds bracket = at - *before;
    return update(*before + bracket / 2, bracket, power);
  }
  if (at - *last_update_ < facts_.period * kOverdue) return std::nullopt;
  // With infrequent reads there may have been several updates; the last one counts.
  const double periods =
      std::max(1.0, std::floor(((at - *last_update_) / facts_.period).si() - (kOverdue - 1)));
  return update(*last_update_ + facts_.period * periods, facts_.period / 2, power);
}

std::optional<SensorUpdate> UpdateTrack::sampled(Instant at, Watts power) {
  if (last_update_ && at <= *last_update_) return std::nullopt;
  if (!plausible(power)) return std::nullopt;
  if (!changed_ || power != value_) changed_ = at;
  last_read_ = at;
  return update(at, kSampleBracket, power);
}

void UpdateTrack::lost() {
  ++dropped_;
  after_failure_ = true;
}

}  // namespace ergon::meter
