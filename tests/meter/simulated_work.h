#pragma once

#include <cmath>
#include <memory>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/random.h"
#include "device/twin/twin_device.h"
#include "device/twin_loads.h"
#include "meter/measurement.h"
#include "meter/recorder.h"

namespace ergon::meter {

// Simulated time of a twin; sleeping advances it.
class TwinClock final : public Clock {
 public:
  explicit TwinClock(device::Twin& twin) : twin_(twin) {}

  Instant now() const override { return Instant{} + twin_.now(); }
  Timestamp wall_now() const override { return {epoch().ns + now().ns}; }
  void sleep_until(Instant due) override {
    if (due > now()) twin_.advance(due - now());
  }
  static Timestamp epoch() { return {1'700'000'000'000'000'000}; }

 private:
  device::Twin& twin_;
};

// A phase of a random program: a load, or idle.
struct Stretch {
  Seconds length;
  std::shared_ptr<const device::Load> load;
};

inline double log_uniform(Random& random, double low, double high) {
  return low * std::pow(high / low, random.uniform());
}

// Loads of some networks and batches on one GPU, created once.
inline std::vector<std::shared_ptr<const device::Load>> some_loads(const device::Specification& gpu) {
  std::vector<std::shared_ptr<const device::Load>> loads;
  for (const char* network : {"resnet50", "mobilenet_v2", "vgg16", "alexnet"}) {
    for (const std::int64_t batch : {1, 16, 128}) loads.push_back(load_on(gpu, network, batch));
  }
  return loads;
}

// A program with alternating work and pauses, 0.1 s to 10 s long.
inline std::vector<Stretch> random_program(Random& random,
                                           const std::vector<std::shared_ptr<const device::Load>>& loads) {
  std::vector<Stretch> program{{Seconds{log_uniform(random, 0.005, 0.3)}, nullptr}};
  const std::uint64_t stretches = 1 + random.below(6);
  for (std::uint64_t i = 0; i < stretches; ++i) {
    program.push_back({Seconds{log_uniform(random, 0.05, 3)}, loads[random.below(loads.size())]});
    if (random.below(3) == 0) program.push_back({Seconds{log_uniform(random, 0.01, 1)}, nullptr});
  }
  return program;
}

// Another board of the same product, with other sensor errors.
inline device::Specification another_board(device::Specification gpu, Random& random) {
  const auto facts = sensor_catalog().of(gpu.title).front();
  const double gain = facts.gain + facts.gain_spread * random.normal();
  const Watts offset = facts.offset + facts.offset_spread * random.normal();
  for (device::SensorModel& sensor : gpu.sensors) sensor.gain = gain, sensor.offset = offset;
  return gpu;
}

struct Outcome {
  Measurement measurement;
  Joules truth;
};

// Measures a program on a board, as `ergon measure` does.
inline Outcome measure(device::Twin& twin, const std::vector<Stretch>& program, Random& random,
                       const Recorder::Options& options = {}) {
  TwinClock clock(twin);
  device::TwinDevice gpu(twin, TwinClock::epoch());
  twin.advance(Seconds{1.5 + random.uniform()});
  auto recorder = Recorder::create(gpu, clock, options).value();
  Instant due = clock.now();
  const auto pass_until = [&](Instant moment) {
    while (due <= moment) {
      clock.sleep_until(due);
      due = recorder->read();
    }
    clock.sleep_until(moment);
  };
  while (!recorder->ready()) pass_until(due);
  pass_until(clock.now() + Seconds{0.05 * random.uniform()});

  const Joules before = twin.true_energy();
  const SpanId span = recorder->open(clock.now());
  bool has_context = false;
  for (const Stretch& stretch : program) {
    if (stretch.load) {
      twin.run(stretch.load);
      has_context = true;
    } else if (has_context) {
      twin.stop();
    }
    pass_until(clock.now() + stretch.length);
  }
  twin.close_context();
  const Joules truth = twin.true_energy() - before;
  recorder->close(span, clock.now());
  std::optional<SpanReport> report;
  while (!(report = recorder->report(span))) pass_until(due);
  return {measured({*report}), truth};
}

}  // namespace ergon::meter
