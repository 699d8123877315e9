#pragma once

#include <map>
#include <memory>

#include "control/arrivals.h"
#include "control/plant.h"
#include "device/twin/twin.h"
#include "graph/network.h"

namespace ergon::control {

// A network at inference on a simulated GPU that lives through time: its sensor averages, lags and errs as
// the real one's does, its clock needs time to change, its limit holds it down.
//
// passed() tells power as the sensor would give it without noise and delay: a cap is held by what is read,
// and some sensors read a few percent low.
class TwinPlant final : public Plant {
 public:
  struct Settings {
    device::Precision precision = device::Precision::tf32;
    std::vector<std::int64_t> batches;  // none: every one up to `most`, as far as the memory reaches
    std::int64_t most = 256;
    bool may_set_clock = true;
    std::size_t clocks = 24;  // that many of the chip's, evenly, the lowest and the highest among them
    Arrivals arrivals;
    std::uint64_t seed = 0;
  };
  // Errors: no batch that fits the memory; a network that cannot be run.
  static Result<TwinPlant> of(graph::Network network, device::Specification gpu, const Settings& settings);

  const Knobs& knobs() const override { return knobs_; }
  bool simulated() const override { return true; }
  Seconds now() const override { return twin_.now(); }
  Watts idle_power() const override;
  Result<Reading> run(const Point& point, const Controller::Patience& patience) override;
  std::vector<Stretch> passed() override { return std::exchange(passed_, {}); }
  std::vector<Latency> latencies() override { return std::exchange(latencies_, {}); }

 private:
  TwinPlant(graph::Network network, const device::Specification& gpu, const Settings& settings);

  Result<std::shared_ptr<const device::Load>> load(std::int64_t batch);
  Result<> go_to(const Point& point);
  void pass(Seconds time);
  // What requests got since `begun` that came by themselves.
  struct Served {
    int batches = 0;
    double samples = 0;
    Seconds busy;
    std::vector<Seconds> latencies;
  };
  // One batch of those that wait, or a pause where none does.
  Result<> serve(std::int64_t batch, Served& served);
  // What the sensor makes of it.
  Watts shown(Watts truth) const;

  std::shared_ptr<const graph::Network> network_;
  Settings settings_;
  Knobs knobs_;
  device::Twin twin_;
  device::SensorModel sensor_;
  std::map<std::int64_t, std::shared_ptr<const device::Load>> loads_;
  std::optional<Point> point_;
  std::vector<Stretch> passed_;
  std::vector<Latency> latencies_;
};

// The power field that follows fastest.
const device::SensorModel& quickest_sensor(const device::Specification& gpu);
std::vector<Hertz> some_clocks(const device::Specification& gpu, std::size_t count);

}  // namespace ergon::control
