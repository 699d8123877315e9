#pragma once

// A plant with simple numbers: a batch takes one second and draws 100 W plus 10 W per sample, times the
// relative clock.

#include "control/plants/plant.h"
#include "control/surfaces/surface.h"

namespace ergon::control::test {

class SmallSurface final : public Surface {
 public:
  Expectation at(const Point& point) const override {
    const double share = point.clock ? point.clock->si() / 1e9 : 1;
    return {Seconds{1}, Watts{100 + 10 * static_cast<double>(point.batch) * share}};
  }
};

class SmallPlant final : public Plant {
 public:
  explicit SmallPlant(Knobs knobs) : knobs_(std::move(knobs)) {}

  const Knobs& knobs() const override { return knobs_; }
  bool simulated() const override { return true; }
  Seconds now() const override { return now_; }
  Watts idle_power() const override { return Watts{50}; }
  Result<Feedback> run(const Point& point, const Controller::DecisionInterval&) override {
    const auto there = SmallSurface().at(point);
    segments_.push_back({now_, now_ + there.time, there.power});
    now_ += there.time;
    Feedback feedback;
    feedback.at = now_;
    feedback.lasted = there.time;
    feedback.point = point;
    feedback.samples = static_cast<double>(point.batch);
    feedback.power = feedback.mean_power = there.power;
    return feedback;
  }
  std::vector<PowerSegment> take_power_segments() override { return std::exchange(segments_, {}); }
  std::vector<Latency> take_latencies() override { return {}; }

 private:
  Knobs knobs_;
  Seconds now_;
  std::vector<PowerSegment> segments_;
};

}  // namespace ergon::control::test
