#pragma once

#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/random.h"
#include "control/grid_surface.h"
#include "control/plant.h"
#include "device/twin/twin.h"
#include "graph/network.h"
#include "reproduce/batchsizer_jobs.h"

namespace ergon::app {

// A network on one GPU, placed at every batch that was asked for; shared by the runs and the model of it.
class PlacedNetwork {
 public:
  PlacedNetwork(graph::Network network, device::Specification gpu)
      : network_(std::move(network)), gpu_(std::move(gpu)) {}

  const device::Specification& gpu() const { return gpu_; }
  // Errors: a batch that the network cannot run at.
  Result<std::shared_ptr<const device::Load>> load(std::int64_t batch);
  // At the clock of the chip's grid that a lock at this one gives. The same errors.
  Result<device::Activity> activity(const control::Point& point);

 private:
  graph::Network network_;
  device::Specification gpu_;
  std::map<std::int64_t, std::shared_ptr<const device::Load>> loads_;
  std::map<std::pair<std::int64_t, double>, device::Activity> activities_;
};

// What batches one after another come to once the chip is as warm as that makes it.
struct FedState {
  Seconds prepared, executed;  // of one batch
  Watts working;               // while it is executed
  Watts spike;                 // the highest that the sensor can show of it
  Watts mean;                  // over both phases

  Seconds time() const { return prepared + executed; }
};
// Contract: the point has a clock.
Result<FedState> fed_state(PlacedNetwork& network, const InputPipeline& input, Seconds meter_lag,
                           const control::Point& point);

// The same as a surface: time of a batch, and the spike as its power.
Result<control::GridSurface> fed_surface(PlacedNetwork& network, const InputPipeline& input,
                                         Seconds meter_lag, const control::Knobs& knobs);

// A twin that waits for its input, as in the paper's Figure 2: while the host prepares a batch the GPU idles
// with its context open, then it executes the batch and draws a spike. Nothing overlaps.
//
// Power is what the meter makes of it: it follows with a lag, and the sensor shows it every period, with
// gain, offset and noise. Preparing scatters from batch to batch, as images differ; without that the batches
// could fall into step with the sensor.
//
// A reading's power is the highest that was shown, which is what the paper holds below the cap; there is no
// mean power in it, as a mean over idle and spikes is about neither. passed() tells the meter's power without
// the sensor's noise. Readings are not older than the point: a batch takes longer than the meter and the
// clock need to follow.
class FedPlant final : public control::Plant {
 public:
  // Contract: batches and clocks ascend and there is one of each; they fit the GPU. The network outlives it.
  FedPlant(PlacedNetwork& network, const InputPipeline& input, Seconds meter_lag, control::Knobs knobs,
           std::uint64_t seed);

  const control::Knobs& knobs() const override { return knobs_; }
  bool simulated() const override { return true; }
  Seconds now() const override { return twin_.now(); }
  Watts idle_power() const override;
  Result<control::Reading> run(const control::Point& point,
                               const control::Controller::Patience& patience) override;
  std::vector<control::Stretch> passed() override { return std::exchange(passed_, {}); }
  std::vector<control::Latency> latencies() override { return std::exchange(latencies_, {}); }

 private:
  Seconds preparation(std::int64_t batch);
  void pass(Seconds time);
  // The end of a piece of passed(), and maybe an update of the sensor.
  void look();

  PlacedNetwork& network_;
  InputPipeline input_;
  Seconds lag_;
  control::Knobs knobs_;
  device::Twin twin_;
  device::SensorModel sensor_;
  Random random_;
  Watts metered_;
  Seconds piece_began_, next_update_, fresh_from_;
  Joules piece_energy_;  // by the meter, since then
  std::optional<Watts> highest_;
  std::vector<control::Stretch> passed_;
  std::vector<control::Latency> latencies_;
};

}  // namespace ergon::app
