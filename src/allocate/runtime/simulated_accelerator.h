#pragma once

#include <functional>
#include <map>
#include <tuple>
#include <vector>

#include "allocate/demand.h"
#include "allocate/hardware.h"
#include "allocate/layer_setting.h"
#include "allocate/layer_times.h"
#include "allocate/runtime/layer_runner.h"

namespace ergon::allocate {

// An accelerator in simulated time whose available memory bandwidth varies because another program (the
// neighbor) uses a part of it. If the share changes during a layer, the rest of the layer runs at the new
// speed.
class SimulatedAccelerator final : public LayerRunner {
 public:
  // Available share of the bandwidth at `now`, and the time until which it holds (after `now`).
  struct Phase {
    double share = 1;
    Seconds until;
  };
  using Neighbor = std::function<Phase(Seconds now)>;

  // Contract: the demands are for the hardware at full bandwidth.
  SimulatedAccelerator(const Hardware& hardware, std::vector<LayerDemand> demands, Neighbor neighbor)
      : hardware_(hardware),
        demands_(std::move(demands)),
        neighbor_(std::move(neighbor)),
        clock_(hardware.clock) {}

  Result<Seconds> run(std::size_t layer, const LayerSetting& setting) override;
  Result<Seconds> finish() override;

  Seconds now() const { return now_; }
  Joules energy() const { return energy_; }

 private:
  LayerTime time_at(std::size_t layer, const LayerSetting& setting, double share, int switches);

  Hardware hardware_;
  std::vector<LayerDemand> demands_;
  Neighbor neighbor_;
  Hertz clock_;
  Seconds now_;
  Joules energy_;
  using Key = std::tuple<std::size_t, Hertz, Hertz, std::int64_t, double, double, int>;
  std::map<Key, LayerTime> known_;  // cache for repeated runs
};

}  // namespace ergon::allocate
