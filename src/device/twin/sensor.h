#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/random.h"
#include "device/twin/specification.h"

namespace ergon::device {

// Rounded to the nearest nanosecond.
std::int64_t nanoseconds(Seconds time);

// Simulates one power reading of a driver. Every period it publishes the mean true power over the window that
// ends then, with gain, offset and noise. The reading is constant between two updates.
//
// The caller passes the energy since time 0 at each due() time: the begin and end of every window. Power was
// constant before time 0. Equal seeds give equal noise.
class Sensor {
 public:
  struct Update {
    Seconds at;
    Watts power;
  };
  static constexpr std::size_t kHistoryLength = 120;

  // `before`: power before time 0. Contract: period and window are at least one nanosecond.
  Sensor(const SensorModel& model, Watts before, std::uint64_t seed);

  bool answers(std::string_view field) const { return model_.answers(field); }
  // The time of the next add_energy(). The first update, at time 0, is done by the constructor.
  Instant due() const { return due_; }
  // Contract: `energy` is the energy from time 0 to due().
  void add_energy(Joules energy);
  // Never below 0.
  Watts reading() const { return reading_; }
  // The last updates, oldest first; at most kHistoryLength.
  std::vector<Update> history() const;

 private:
  void publish(Watts mean, std::int64_t at);
  void update_due();

  SensorModel model_;
  std::int64_t period_, window_;
  Random random_;
  // Energy at the begin of each open window, as a ring buffer. Several windows are open at once if the window
  // is longer than the period.
  std::vector<Joules> begun_;
  std::size_t oldest_ = 0, newest_ = 0;
  std::int64_t next_begin_, next_end_;
  Instant due_;
  Watts reading_;
  std::vector<Update> updates_;  // a ring buffer once it is full
  std::size_t oldest_update_ = 0;
};

}  // namespace ergon::device
