#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "base/clock.h"
#include "control/arrivals.h"
#include "control/plant.h"
#include "device/device.h"
#include "meter/meter.h"
#include "meter/sensor_facts.h"
#include "profile/service.h"

namespace ergon::control {

// A network on a GPU of this machine. Its power is read on a thread of its own, and one batch is always under
// way while a decision is made: neither holds up the next batch.
//
// A reading of power is the mean over a window; it tells of a point once all of the window lies behind its
// first batch. That batch does not count: libraries set themselves up for sizes that they see for the first
// time. For the same reason requests that come by themselves and do not
// fill a batch are run as the next power of two, with the rest left empty. A sensor that gives the same
// number to the last digit again and again is taken for silent.
class DevicePlant final : public Plant {
 public:
  // Locks the core at a clock. Errors: whatever keeps it from being done.
  using SetClock = std::function<Result<>(Hertz)>;

  struct Settings {
    Knobs knobs;         // batches that the service is ready for; clocks only where `set_clock` may be used
    SetClock set_clock;  // nothing: the clock is not ours
    Arrivals arrivals;
  };
  // Everything referred to outlives the plant. Watches the device for about a second with the model loaded
  // and nothing running. Errors: no power reading; one that tells nothing; no memory for the smallest batch.
  static Result<std::unique_ptr<DevicePlant>> open(profile::Service& service, device::Device& device,
                                                   Clock& clock, Settings settings,
                                                   const std::stop_token& stop = {});

  const Knobs& knobs() const override { return settings_.knobs; }
  bool simulated() const override { return device_.simulated(); }
  Seconds now() const override { return clock_.now() - start_; }
  Watts idle_power() const override { return idle_; }
  const meter::SensorFacts& sensor() const { return sensor_; }

  Result<Reading> run(const Point& point, const Controller::Patience& patience) override;
  std::vector<Stretch> passed() override { return std::exchange(passed_, {}); }
  std::vector<Latency> latencies() override { return std::exchange(latencies_, {}); }

 private:
  DevicePlant(profile::Service& service, device::Device& device, Clock& clock, Settings settings,
              meter::SensorFacts sensor, std::unique_ptr<meter::Meter> meter);

  // A batch that was asked for, and when its requests came; none of these where they do not come by
  // themselves.
  struct Asked {
    std::int64_t requests;
    std::vector<Seconds> came;
  };
  // What was done at a point since its first batch.
  struct Done {
    Seconds from, to;  // the first begins, the last ends
    double samples = 0;
    int batches = 0;
    Seconds busy, longest;
    std::vector<Seconds> latencies;
  };

  Result<> measure_idle(const std::stop_token& stop);
  // The smallest batch for a while, and every size that fewer requests than a batch are run as.
  Result<> warm_up();
  Result<> run_unwatched(std::int64_t batch);
  Result<> go_to(const Point& point);
  // One batch, as large as requests wait for; or a short pause where none waits.
  Result<> serve(std::int64_t batch, Done& done);
  void count(const std::vector<profile::Answer>& answers, Done& done);
  Reading reading_of(Done done, Seconds begun);
  // What the sensor has told since.
  void listen();

  profile::Service& service_;
  device::Device& device_;
  Clock& clock_;
  Settings settings_;
  meter::SensorFacts sensor_;
  std::unique_ptr<meter::Meter> meter_;
  Instant start_;
  Watts idle_;
  std::optional<Point> point_;
  std::deque<Asked> asked_;  // and not answered yet

  struct Update {
    Seconds at;
    Watts power;
  };
  std::vector<Update> updates_;  // since the point was last gone to
  std::optional<Watts> newest_;
  Seconds told_;       // up to when passed() knows of power
  int unchanged_ = 0;  // updates that brought the same to the last digit
  std::vector<Stretch> passed_;
  std::vector<Latency> latencies_;
};

}  // namespace ergon::control
