#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "base/clock.h"
#include "control/plants/arrivals.h"
#include "control/plants/interval_power.h"
#include "control/plants/plant.h"
#include "device/device.h"
#include "meter/meter.h"
#include "meter/sensor_facts.h"
#include "profile/batch_executor.h"

namespace ergon::control {

// A network on a GPU of this machine. A separate thread reads power, and one batch is always in flight while
// a decision is made, so neither delays the next batch.
//
// The first batch at an operating point is not counted, because libraries initialize for each new size. For
// the same reason a partial batch of open arrivals is padded to the next power of two. IntervalPower says
// which power readings count.
class DevicePlant final : public Plant {
 public:
  // Locks the core clock. Errors: those of the driver.
  using SetClock = std::function<Result<>(Hertz)>;

  struct Settings {
    Knobs knobs;         // batches that the service supports; clocks only if `set_clock` is given
    SetClock set_clock;  // empty: the clock must not be set
    Arrivals arrivals;
  };
  // The references must outlive the plant. Measures idle power for about a second with the model loaded.
  // Errors: no power sensor; no power reading; not enough memory for the smallest batch.
  static Result<std::unique_ptr<DevicePlant>> open(profile::BatchExecutor& service, device::Device& device,
                                                   Clock& clock, Settings settings,
                                                   const std::stop_token& stop = {});

  const Knobs& knobs() const override { return settings_.knobs; }
  bool simulated() const override { return device_.simulated(); }
  Seconds now() const override { return clock_.now() - start_; }
  Watts idle_power() const override { return idle_; }
  const meter::SensorFacts& sensor() const { return sensor_; }

  Result<Feedback> run(const Point& point, const Controller::DecisionInterval& interval) override;
  std::vector<PowerSegment> take_power_segments() override { return std::exchange(segments_, {}); }
  std::vector<Latency> take_latencies() override { return std::exchange(latencies_, {}); }

 private:
  DevicePlant(profile::BatchExecutor& service, device::Device& device, Clock& clock, Settings settings,
              meter::SensorFacts sensor, std::unique_ptr<meter::Meter> meter);

  struct PowerReading {
    Seconds at;
    Watts power;
  };
  // A submitted batch. `arrivals` holds the arrival times of its requests; empty for closed arrivals.
  struct SubmittedBatch {
    std::int64_t requests;
    std::vector<Seconds> arrivals;
  };
  // Totals at an operating point since its first batch.
  struct CompletedBatches {
    Seconds from, to;  // start of the first, end of the last
    double samples = 0;
    int batches = 0;
    Seconds busy, longest;
    std::vector<Seconds> latencies;
  };

  Result<> measure_idle(const std::stop_token& stop);
  // Runs the smallest batch for a while and, with open arrivals, every padded size once.
  Result<> warm_up();
  Result<> run_unrecorded(std::int64_t batch);
  Result<> set_point(const Point& point);
  // Submits one batch of up to `batch` waiting requests, or waits briefly if there are none.
  Result<> serve(std::int64_t batch, CompletedBatches& done);
  void count(const std::vector<profile::CompletedBatch>& answers, CompletedBatches& done);
  Feedback feedback_of(CompletedBatches done, Seconds begun);
  // The power readings since the last call.
  std::vector<PowerReading> take_readings();

  profile::BatchExecutor& service_;
  device::Device& device_;
  Clock& clock_;
  Settings settings_;
  meter::SensorFacts sensor_;
  std::unique_ptr<meter::Meter> meter_;
  Instant start_;
  Watts idle_;
  std::optional<Point> point_;
  std::deque<SubmittedBatch> submitted_;  // in flight

  StuckSensorCheck stuck_;
  Seconds segments_until_;  // end of the last power segment
  std::vector<PowerSegment> segments_;
  std::vector<Latency> latencies_;
};

}  // namespace ergon::control
