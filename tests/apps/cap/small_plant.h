#pragma once

// A plant that one can work out by hand: a batch of b draws 100 W and 10 W more for each sample, times the
// share of the highest clock, and takes a second.

#include "control/plant.h"
#include "control/surface.h"

namespace ergon::test {

class SmallSurface final : public control::Surface {
 public:
  control::Expectation at(const control::Point& point) const override {
    const double share = point.clock ? point.clock->si() / 1e9 : 1;
    return {Seconds{1}, Watts{100 + 10 * static_cast<double>(point.batch) * share}};
  }
};

class SmallPlant final : public control::Plant {
 public:
  explicit SmallPlant(control::Knobs knobs) : knobs_(std::move(knobs)) {}

  const control::Knobs& knobs() const override { return knobs_; }
  bool simulated() const override { return true; }
  Seconds now() const override { return now_; }
  Watts idle_power() const override { return Watts{50}; }
  Result<control::Reading> run(const control::Point& point, const control::Controller::Patience&) override {
    const auto there = SmallSurface().at(point);
    passed_.push_back({now_, now_ + there.time, there.power});
    now_ += there.time;
    control::Reading reading;
    reading.at = now_;
    reading.lasted = there.time;
    reading.point = point;
    reading.samples = static_cast<double>(point.batch);
    reading.power = reading.mean_power = there.power;
    return reading;
  }
  std::vector<control::Stretch> passed() override { return std::exchange(passed_, {}); }
  std::vector<control::Latency> latencies() override { return {}; }

 private:
  control::Knobs knobs_;
  Seconds now_;
  std::vector<control::Stretch> passed_;
};

}  // namespace ergon::test
