#include "control/plants/interval_power.h"

namespace ergon::control {
namespace {

// Settling time of power readings after a change: after 50 ms an H200's readings still contained a third of
// the previous value.
constexpr Seconds kLag{0.06};
// Consecutive identical readings after which the sensor counts as not responding.
constexpr int kStuck = 25;

}  // namespace

void StuckSensorCheck::add(Watts power) {
  unchanged_ = newest_ == power ? unchanged_ + 1 : 0;
  newest_ = power;
}

bool StuckSensorCheck::stuck() const { return unchanged_ >= kStuck; }

IntervalPower::IntervalPower(const meter::SensorFacts& sensor, const Controller::DecisionInterval& interval,
                             bool changed, Seconds began)
    : began_(began),
      fresh_from_(began + sensor.window + (changed ? kLag : Seconds{0})),
      min_time_(interval.sensor_updates > 0 ? fresh_from_ - began + sensor.period * interval.sensor_updates
                                            : Seconds{0}),
      needed_(interval.sensor_updates) {}

void IntervalPower::add(Seconds at, Watts power) {
  if (at < fresh_from_) return;
  ++fresh_;
  if (needed_ > 0) statistics_.add(power);
}

void IntervalPower::add_newest(const StuckSensorCheck& sensor) {
  if (needed_ <= 0 && sensor.newest() && !sensor.stuck()) statistics_.add(*sensor.newest());
}

bool IntervalPower::incomplete(Seconds now) const {
  if (now < began_ + min_time_) return true;
  // Drivers report late.
  return fresh_ < needed_ && now < began_ + min_time_ + kSensorTimeout;
}

void IntervalPower::write_to(Feedback& feedback, const StuckSensorCheck& sensor) const {
  if (!sensor.stuck() || needed_ <= 0) statistics_.write_to(feedback);
}

}  // namespace ergon::control
