#pragma once

#include <deque>
#include <optional>

#include "meter/sensor_facts.h"
#include "meter/update.h"
#include "meter/update_grid.h"
#include "meter/window_posterior.h"

namespace ergon::meter {

// The readings and counter values of the last seconds, with the best known times, for the energy of windows
// that are too short for the energy curve.
class RecentReadings {
 public:
  // `swing`: how much power may change on this device when work begins.
  RecentReadings(const SensorFacts& facts, Watts swing)
      : facts_(facts), swing_(swing), updates_(facts.period) {}

  // An update of the sensor, with its own averaging window.
  void add(const SensorUpdate& update);
  // A read of the energy counter, with its start and end times.
  void read_counter(Instant began, Instant ended, Joules counted);
  // The counter is not usable.
  void drop_counter();

  // The times of the counter's steps are known well enough at a time.
  bool knows_steps(Instant now) const;
  // Readings and counter around a window.
  WindowData around(Instant from, Instant to) const;

 private:
  GridTime time_of(const SensorUpdate& update) const;

  SensorFacts facts_;
  Watts swing_;
  UpdateGrid updates_, steps_;
  std::deque<MeanPower> readings_;
  std::deque<CounterPoint> counter_;
  std::optional<Instant> last_read_;
  std::optional<Joules> counted_;
};

}  // namespace ergon::meter
