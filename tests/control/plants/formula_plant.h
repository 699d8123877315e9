#pragma once

#include <cmath>
#include <functional>
#include <utility>

#include "control/plants/plant.h"
#include "control/surfaces/surface.h"

namespace ergon::control::test {

// A network whose time and power are formulas, with an exact sensor.
class FormulaPlant final : public Plant, public Surface {
 public:
  using Formula = std::function<Expectation(const Point&)>;
  FormulaPlant(Knobs knobs, Formula formula) : knobs_(std::move(knobs)), formula_(std::move(formula)) {}

  const Knobs& knobs() const override { return knobs_; }
  bool simulated() const override { return true; }
  Seconds now() const override { return now_; }
  Watts idle_power() const override { return Watts{50}; }
  Expectation at(const Point& point) const override { return formula_(point); }

  Result<Feedback> run(const Point& point, const Controller::DecisionInterval& interval) override {
    if (broken) return fail(Errc::device_lost, "gone");
    const Expectation there = formula_(point);
    Feedback feedback;
    feedback.lasted = there.time * static_cast<double>(interval.batches);
    segments_.push_back({now_, now_ + feedback.lasted, there.power});
    now_ += feedback.lasted;
    feedback.at = now_;
    feedback.point = point;
    feedback.samples = static_cast<double>(point.batch * interval.batches);
    if (!silent) feedback.power = feedback.mean_power = there.power;
    feedback.latency = there.time;
    latencies_.push_back({there.time, feedback.samples});
    return feedback;
  }
  std::vector<PowerSegment> take_power_segments() override { return std::exchange(segments_, {}); }
  std::vector<Latency> take_latencies() override { return std::exchange(latencies_, {}); }

  bool silent = false, broken = false;
  Formula& formula() { return formula_; }

 private:
  Knobs knobs_;
  Formula formula_;
  Seconds now_;
  std::vector<PowerSegment> segments_;
  std::vector<Latency> latencies_;
};

inline std::vector<std::int64_t> every_batch(std::int64_t max) {
  std::vector<std::int64_t> batches;
  for (std::int64_t batch = 1; batch <= max; ++batch) batches.push_back(batch);
  return batches;
}

// A GPU with 50 W idle and 250 W busy: kernels take 0.1 ms per sample, the host 1.5 ms per batch.
inline Expectation example_gpu(const Point& point) {
  const double clock = point.clock ? point.clock->si() / 1.5e9 : 1;
  const double gpu = 1e-4 * static_cast<double>(point.batch) / clock, host = 1.5e-3;
  const double time = std::pow(std::pow(gpu, 8) + std::pow(host, 8), 1.0 / 8);
  const double busy = std::min(1.0, gpu / time);
  return {Seconds{time}, Watts{50 + 200 * busy * std::pow(clock, 2.4)}, Seconds{gpu}, Seconds{host}};
}

inline std::vector<Hertz> ten_clocks() {
  std::vector<Hertz> clocks;
  for (int i = 0; i < 10; ++i) clocks.push_back(Hertz{0.6e9 + 0.1e9 * i});
  return clocks;
}

}  // namespace ergon::control::test
