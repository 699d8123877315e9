#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/random.h"
#include "control/plant.h"
#include "control/trace.h"

namespace ergon::control {

// A network that runs as it did when it was measured, in its own time, which begins at 0 with the model
// loaded and nothing running. Only the power sensor adds something: every period it shows the mean over the
// window that ends there, with noise, and in between the value before. Equal seeds give equal noise.
class TracePlant final : public Plant {
 public:
  struct Options {
    std::uint64_t seed = 0;
    double power_noise = 0.01;  // standard deviation of one reading, as a share of it
    Seconds sensor_period{0.1};
    Seconds sensor_window{0.1};
    // Ascending, within what was measured. Nothing: every whole number there if these are at most 512,
    // otherwise up to 256 in equal ratios.
    std::optional<std::vector<std::int64_t>> batches = {};
    std::optional<Watts> idle = {};  // nothing: 5% below the lowest power that was measured
  };

  // Contract: that of TraceSurface for the trace, and of the options.
  TracePlant(Trace trace, Options options);
  explicit TracePlant(Trace trace) : TracePlant(std::move(trace), Options{}) {}

  const Knobs& knobs() const override { return knobs_; }
  bool simulated() const override { return true; }
  Seconds now() const override { return now_; }
  Watts idle_power() const override { return idle_; }
  // What is true of every point.
  const TraceSurface& surface() const { return surface_; }

  // As many batches as asked for and at least one; where sensor updates are asked for, also as many as fill a
  // window and these.
  //
  // The powers are the highest and the mean of: where no updates are asked for, what somebody sees who looks
  // at the sensor after every batch, be it from before; otherwise the updates that came in and whose window
  // began when the point was in force, and nothing if there were none. Contract: the point is one of the
  // knobs. Never fails.
  Result<Reading> run(const Point& point, const Controller::Patience& patience) override;
  // One for each run.
  std::vector<Stretch> passed() override { return std::exchange(passed_, {}); }
  std::vector<Latency> latencies() override { return std::exchange(latencies_, {}); }

 private:
  struct Shown {
    Seconds at;
    Watts power;
  };

  Seconds next_update() const { return options_.sensor_period * static_cast<double>(updates_); }
  // The next update. Contract: it is not later than what has been lived.
  void update();
  Watts mean_power(Seconds from, Seconds to) const;

  Options options_;
  TraceSurface surface_;
  Knobs knobs_;
  Watts idle_;
  Random random_;
  Seconds now_;
  std::optional<Point> point_;   // in force
  Seconds since_;                // when it came into force
  std::int64_t updates_ = 0;     // that there were, one every period from time 0 on
  Shown shown_;                  // by the sensor
  std::vector<Stretch> recent_;  // that a window may still reach
  std::vector<Stretch> passed_;
  std::vector<Latency> latencies_;
};

}  // namespace ergon::control
