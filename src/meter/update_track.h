#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "meter/sensor_facts.h"
#include "meter/update.h"

namespace ergon::meter {

// Turns what is read every now and then into updates of the sensor. Between two updates a reading is stale,
// so that only a change tells that there was one, some time between two reads. A value that stays is taken
// for an update that brought the same, once its time has come.
//
// Readings that no board can have are dropped and counted.
class UpdateTrack {
 public:
  // `highest` is more than the device can draw.
  UpdateTrack(const SensorFacts& facts, Watts highest) : facts_(facts), highest_(highest) {}

  // What was read by a call that returned at `at`: the update that it shows, if any.
  std::optional<Update> read(Instant at, Watts power);
  // A sample with a time of its own, from a driver's buffer.
  std::optional<Update> sampled(Instant at, Watts power);
  // A read that failed: what follows is new, whatever it is.
  void lost();

  std::uint64_t updates() const { return updates_; }
  std::uint64_t dropped() const { return dropped_; }
  // How long the same value has been read.
  Seconds unchanged() const { return last_read_ && changed_ ? *last_read_ - *changed_ : Seconds{}; }

 private:
  bool plausible(Watts power);
  Update update(Instant at, Seconds bracket, Watts power);

  SensorFacts facts_;
  Watts highest_;
  std::optional<Instant> last_read_, last_update_, changed_;
  Watts value_;
  bool after_failure_ = false;
  std::uint64_t updates_ = 0, dropped_ = 0;
};

}  // namespace ergon::meter
