#pragma once

#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/random.h"
#include "control/plants/plant.h"
#include "control/surfaces/grid_surface.h"
#include "device/twin/twin.h"
#include "graph/network.h"
#include "reproduce/batchsizer/jobs.h"

namespace ergon::reproduce {

// A network on one twin GPU. Caches the load of each batch; the runs and the model of a job share it.
class TwinNetwork {
 public:
  TwinNetwork(graph::Network network, device::Specification gpu)
      : network_(std::move(network)), gpu_(std::move(gpu)) {}

  const device::Specification& gpu() const { return gpu_; }
  // Errors: a batch that the network cannot run at.
  Result<std::shared_ptr<const device::Load>> load(std::int64_t batch);
  // At the grid clock that locking point.clock selects. The same errors.
  Result<device::Activity> activity(const control::Point& point);

 private:
  graph::Network network_;
  device::Specification gpu_;
  std::map<std::int64_t, std::shared_ptr<const device::Load>> loads_;
  std::map<std::pair<std::int64_t, double>, device::Activity> activities_;
};

// Steady state of consecutive batches, at the temperature that they lead to.
struct InputBoundState {
  Seconds prepared, executed;  // times of one batch
  Watts working;               // power during execution
  Watts spike;                 // max power that the sensor can show
  Watts mean;                  // mean power over both phases

  Seconds time() const { return prepared + executed; }
};
// Contract: the point has a clock.
Result<InputBoundState> input_bound_state(TwinNetwork& network, const InputPipeline& input, Seconds meter_lag,
                                          const control::Point& point);

// The same for a grid of points: time of a batch, and `spike` as its power.
Result<control::GridSurface> input_bound_surface(TwinNetwork& network, const InputPipeline& input,
                                                 Seconds meter_lag, const control::Knobs& knobs);

// A twin limited by its input, as in the paper's Figure 2: the GPU idles with an open context while the host
// prepares a batch, then executes the batch and draws a power spike. Nothing overlaps.
//
// Power goes through a meter with a first-order lag; the sensor shows the meter once per period, with gain,
// offset and noise. Preparation time varies randomly from batch to batch, because images differ; without that
// the batches could synchronize with the sensor.
//
// Feedback::power is the max reading, which the paper holds below the cap. There is no mean power, because a
// mean over idle time and spikes describes neither. take_power_segments() returns the meter's power without
// the sensor's noise. Readings belong to the current point: a batch takes longer than the meter and the clock
// need to follow.
class InputBoundPlant final : public control::Plant {
 public:
  // Contract: batches and clocks are ascending, not empty, and valid for the GPU. The network outlives the
  // plant.
  InputBoundPlant(TwinNetwork& network, const InputPipeline& input, Seconds meter_lag, control::Knobs knobs,
                  std::uint64_t seed);

  const control::Knobs& knobs() const override { return knobs_; }
  bool simulated() const override { return true; }
  Seconds now() const override { return twin_.now(); }
  Watts idle_power() const override;
  Result<control::Feedback> run(const control::Point& point,
                                const control::Controller::DecisionInterval& interval) override;
  std::vector<control::PowerSegment> take_power_segments() override { return std::exchange(segments_, {}); }
  std::vector<control::Latency> take_latencies() override { return std::exchange(latencies_, {}); }

 private:
  Seconds preparation(std::int64_t batch);
  void advance(Seconds time);
  // Ends a power segment and updates the sensor if an update is due.
  void end_segment();

  TwinNetwork& network_;
  InputPipeline input_;
  Seconds lag_;
  control::Knobs knobs_;
  device::Twin twin_;
  device::SensorModel sensor_;
  Random random_;
  Watts meter_power_;
  Seconds segment_begin_, next_update_, fresh_from_;
  Joules segment_energy_;  // by the meter, since segment_begin_
  std::optional<Watts> highest_;
  std::vector<control::PowerSegment> segments_;
  std::vector<control::Latency> latencies_;
};

}  // namespace ergon::reproduce
