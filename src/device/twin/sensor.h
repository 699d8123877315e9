#pragma once

#include <cstdint>
#include <vector>

#include "base/clock.h"
#include "base/random.h"
#include "device/twin/specification.h"

namespace ergon::device {

// Seconds as nanoseconds, to the nearest.
std::int64_t nanoseconds(Seconds time);

// One power reading as a driver gives it: every period the mean of the true power over the window that ends
// there, through gain, offset and noise. Between two updates it is stale.
//
// The sensor is shown the energy drawn since time 0, at the moments it asks for: where a window begins and
// where it ends. Before time 0 the power was constant. Equal seeds give equal noise.
class Sensor {
 public:
  struct Update {
    Seconds at;
    Watts power;
  };
  static constexpr std::size_t kKept = 120;

  // Contract: period and window are at least a nanosecond. `before` is the power before time 0.
  Sensor(const SensorModel& model, Watts before, std::uint64_t seed);

  const std::string& field() const { return model_.field; }
  // When it wants to be shown the energy next. The first update, at time 0, has already happened.
  Instant due() const { return due_; }
  // Contract: `energy` is what has been drawn up to due().
  void see(Joules energy);
  // Never below 0.
  Watts reading() const { return reading_; }
  // The last updates, oldest first: at most kKept.
  std::vector<Update> history() const;

 private:
  void publish(Watts mean, std::int64_t at);
  void plan();

  SensorModel model_;
  std::int64_t period_, window_;
  Random random_;
  // Windows that have begun and not ended: the energy at their beginnings, in a ring. More than one is open
  // when windows are longer than periods.
  std::vector<Joules> begun_;
  std::size_t oldest_ = 0, newest_ = 0;
  std::int64_t next_begin_, next_end_;
  Instant due_;
  Watts reading_;
  std::vector<Update> updates_;  // a ring once it is full
  std::size_t oldest_update_ = 0;
};

}  // namespace ergon::device
