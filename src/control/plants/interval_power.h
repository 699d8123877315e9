#pragma once

#include <optional>

#include "base/units.h"
#include "control/controller.h"
#include "control/power_statistics.h"
#include "meter/sensor_facts.h"

namespace ergon::control {

// Maximum wait for an overdue sensor update.
inline constexpr Seconds kSensorTimeout{1};

// Detects a sensor that no longer responds: it repeats exactly the same value many times.
class StuckSensorCheck {
 public:
  void add(Watts power);
  bool stuck() const;
  const std::optional<Watts>& newest() const { return newest_; }

 private:
  std::optional<Watts> newest_;
  int unchanged_ = 0;  // consecutive readings with exactly the same value
};

// The power readings of one decision interval.
//
// A reading is a mean over a window. It counts for an operating point once the whole window lies after the
// first batch at that point. After a change of the point, readings settle for some time longer. Where the
// controller does not wait for updates of the sensor, the newest reading counts instead, however old it is.
class IntervalPower {
 public:
  // `began`: start of the interval; `changed`: at a new operating point.
  IntervalPower(const meter::SensorFacts& sensor, const Controller::DecisionInterval& interval, bool changed,
                Seconds began);

  // Readings in the order of their time.
  void add(Seconds at, Watts power);
  // The newest reading, when a batch has ended.
  void add_newest(const StuckSensorCheck& sensor);
  // More readings are needed, and the sensor is not overdue.
  bool incomplete(Seconds now) const;
  // The interval is not shorter.
  Seconds min_time() const { return min_time_; }
  // Maximum and mean; without fresh readings, or from a stuck sensor, the feedback has no power.
  void write_to(Feedback& feedback, const StuckSensorCheck& sensor) const;

 private:
  Seconds began_, fresh_from_, min_time_;
  double needed_;  // updates of the sensor
  double fresh_ = 0;
  PowerStatistics statistics_;
};

}  // namespace ergon::control
