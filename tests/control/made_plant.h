#pragma once

#include <cmath>
#include <functional>
#include <utility>

#include "control/plant.h"
#include "control/surface.h"

namespace ergon::control::test {

// A network whose time and power are formulas, with a sensor that never errs.
class MadePlant final : public Plant, public Surface {
 public:
  using Formula = std::function<Expectation(const Point&)>;
  MadePlant(Knobs knobs, Formula formula) : knobs_(std::move(knobs)), formula_(std::move(formula)) {}

  const Knobs& knobs() const override { return knobs_; }
  bool simulated() const override { return true; }
  Seconds now() const override { return now_; }
  Watts idle_power() const override { return Watts{50}; }
  Expectation at(const Point& point) const override { return formula_(point); }

  Result<Reading> run(const Point& point, const Controller::Patience& patience) override {
    if (broken) return fail(Errc::device_lost, "gone");
    const Expectation there = formula_(point);
    Reading reading;
    reading.lasted = there.time * static_cast<double>(patience.batches);
    passed_.push_back({now_, now_ + reading.lasted, there.power});
    now_ += reading.lasted;
    reading.at = now_;
    reading.point = point;
    reading.samples = static_cast<double>(point.batch * patience.batches);
    if (!silent) reading.power = reading.mean_power = there.power;
    reading.latency = there.time;
    latencies_.push_back({there.time, reading.samples});
    return reading;
  }
  std::vector<Stretch> passed() override { return std::exchange(passed_, {}); }
  std::vector<Latency> latencies() override { return std::exchange(latencies_, {}); }

  bool silent = false, broken = false;
  Formula& formula() { return formula_; }

 private:
  Knobs knobs_;
  Formula formula_;
  Seconds now_;
  std::vector<Stretch> passed_;
  std::vector<Latency> latencies_;
};

inline std::vector<std::int64_t> every_batch(std::int64_t most) {
  std::vector<std::int64_t> batches;
  for (std::int64_t batch = 1; batch <= most; ++batch) batches.push_back(batch);
  return batches;
}

// A GPU of 50 W idle and 250 W at work: kernels take 0.1 ms a sample, the host 1.5 ms a batch.
inline Expectation usual(const Point& point) {
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
