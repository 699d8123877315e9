#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "meter/sensor_facts.h"
#include "meter/update.h"

namespace ergon::meter {

// Detects updates of a sensor in periodic reads. Between two updates the sensor returns the previous value,
// so an update shows only as a change, and its time is known to within the interval between two reads. If the
// value stays the same for longer than a period, an update with an equal value is assumed.
//
// Implausible readings are dropped and counted.
class UpdateTrack {
 public:
  // `highest`: readings above this power are implausible.
  UpdateTrack(const SensorFacts& facts, Watts highest) : facts_(facts), highest_(highest) {}

  // Adds a reading that was returned at `at`. Returns the update that it shows, if any.
  std::optional<SensorUpdate> read(Instant at, Watts power);
  // Adds a timestamped sample from the driver's buffer.
  std::optional<SensorUpdate> sampled(Instant at, Watts power);
  // A read has failed: the next reading counts as an update.
  void lost();

  std::uint64_t updates() const { return updates_; }
  std::uint64_t dropped() const { return dropped_; }
  // Time since the value last changed.
  Seconds unchanged() const { return last_read_ && changed_ ? *last_read_ - *changed_ : Seconds{}; }

 private:
  bool plausible(Watts power);
  SensorUpdate update(Instant at, Seconds bracket, Watts power);

  SensorFacts facts_;
  Watts highest_;
  std::optional<Instant> last_read_, last_update_, changed_;
  Watts value_;
  bool after_failure_ = false;
  std::uint64_t updates_ = 0, dropped_ = 0;
};

}  // namespace ergon::meter
