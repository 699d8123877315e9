#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/random.h"
#include "control/plants/plant.h"
#include "control/plants/trace.h"

namespace ergon::control {

// Replays a trace in simulated time. Time starts at 0 with the model loaded and the device idle. Adds a
// simulated power sensor: every period it reports the mean over the preceding window, with noise; between
// updates it repeats the last value. Equal seeds give equal noise.
class TracePlant final : public Plant {
 public:
  struct Options {
    std::uint64_t seed = 0;
    double power_noise = 0.01;  // relative standard deviation of one reading
    Seconds sensor_period{0.1};
    Seconds sensor_window{0.1};
    // Ascending, within the measured range. Empty: every integer in the range if there are at most 512,
    // otherwise up to 256 in geometric steps.
    std::optional<std::vector<std::int64_t>> batches = {};
    std::optional<Watts> idle = {};  // empty: 95 % of the lowest measured power
  };

  // Contract: as TraceSurface; the options are in range.
  TracePlant(BatchTrace trace, Options options);
  explicit TracePlant(BatchTrace trace) : TracePlant(std::move(trace), Options{}) {}

  const Knobs& knobs() const override { return knobs_; }
  bool simulated() const override { return true; }
  Seconds now() const override { return now_; }
  Watts idle_power() const override { return idle_; }
  // The measured surface without sensor noise.
  const TraceSurface& surface() const { return surface_; }

  // Runs the requested number of batches, at least one; if sensor updates are requested, also long enough for
  // one window and these updates.
  //
  // Feedback power is the maximum and the mean of: without requested updates, the sensor value after every
  // batch, even if stale; otherwise the updates whose whole window lies at this point (empty if there were
  // none). Contract: the point is one of the knobs. Never fails.
  Result<Feedback> run(const Point& point, const Controller::DecisionInterval& interval) override;
  // One segment per run().
  std::vector<PowerSegment> take_power_segments() override { return std::exchange(segments_, {}); }
  std::vector<Latency> take_latencies() override { return std::exchange(latencies_, {}); }

 private:
  struct SensorValue {
    Seconds at;
    Watts power;
  };

  Seconds next_update() const { return options_.sensor_period * static_cast<double>(updates_); }
  // Performs the next sensor update. Contract: it is not in the future.
  void update();
  Watts mean_power(Seconds from, Seconds to) const;

  Options options_;
  TraceSurface surface_;
  Knobs knobs_;
  Watts idle_;
  Random random_;
  Seconds now_;
  std::optional<Point> point_;        // in force
  Seconds since_;                     // time at which it came into force
  std::int64_t updates_ = 0;          // number of updates so far, one per period from time 0
  SensorValue shown_;                 // last update of the sensor
  std::vector<PowerSegment> recent_;  // segments within reach of the next window
  std::vector<PowerSegment> segments_;
  std::vector<Latency> latencies_;
};

}  // namespace ergon::control
