#pragma once

#include <map>
#include <memory>

#include "control/plants/arrivals.h"
#include "control/plants/default_knobs.h"
#include "control/plants/plant.h"
#include "device/twin/twin.h"
#include "graph/network.h"

namespace ergon::control {

// A network at inference on a twin in simulated time. The twin models the averaging, lag and error of the
// power sensor, the latency of clock changes, and the power limit.
//
// take_power_segments() returns power as the sensor would report it without noise and delay, because a cap
// applies to readings and some sensors read a few percent low.
class TwinPlant final : public Plant {
 public:
  struct Settings {
    device::Precision precision = device::Precision::tf32;
    std::vector<std::int64_t> batches;  // empty: 1 to max_batch, as far as they fit the memory
    std::int64_t max_batch = kMaxDefaultBatch;
    bool may_set_clock = true;
    std::size_t clocks =
        kDefaultClocks;  // number of clocks, evenly spaced, including the lowest and the highest
    Arrivals arrivals;
    std::uint64_t seed = 0;
  };
  // Errors: no batch fits the memory; the network cannot run.
  static Result<TwinPlant> of(graph::Network network, device::Specification gpu, const Settings& settings);

  const Knobs& knobs() const override { return knobs_; }
  bool simulated() const override { return true; }
  Seconds now() const override { return twin_.now(); }
  Watts idle_power() const override;
  Result<Feedback> run(const Point& point, const Controller::DecisionInterval& interval) override;
  std::vector<PowerSegment> take_power_segments() override { return std::exchange(segments_, {}); }
  std::vector<Latency> take_latencies() override { return std::exchange(latencies_, {}); }

 private:
  TwinPlant(graph::Network network, const device::Specification& gpu, const Settings& settings);

  Result<std::shared_ptr<const device::Load>> load(std::int64_t batch);
  Result<> set_point(const Point& point);
  void advance(Seconds time);
  // Totals over one run() with open arrivals.
  struct ServedRequests {
    int batches = 0;
    double samples = 0;
    Seconds busy;
    std::vector<Seconds> latencies;
  };
  // Runs one batch of waiting requests, or waits if there are none.
  Result<> serve(std::int64_t batch, ServedRequests& served);
  // Applies gain and offset of the sensor.
  Watts sensor_value(Watts truth) const;

  std::shared_ptr<const graph::Network> network_;
  Settings settings_;
  Knobs knobs_;
  device::Twin twin_;
  device::SensorModel sensor_;
  std::map<std::int64_t, std::shared_ptr<const device::Load>> loads_;
  std::optional<Point> point_;
  std::vector<PowerSegment> segments_;
  std::vector<Latency> latencies_;
};

// The power sensor with the shortest window and period.
const device::SensorModel& fastest_sensor(const device::Specification& gpu);
// `count` clocks of the GPU, including the lowest and the highest.
std::vector<Hertz> evenly_spaced_clocks(const device::Specification& gpu, std::size_t count);

}  // namespace ergon::control
