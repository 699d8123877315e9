#pragma once

#include <functional>
#include <map>
#include <tuple>
#include <vector>

#include "allocate/demand.h"
#include "allocate/hardware.h"
#include "allocate/layer_times.h"
#include "allocate/runtime/plant.h"
#include "allocate/setting.h"

namespace ergon::allocate {

// An accelerator that runs layers in its own time while a neighbour takes a changing part of the memory's
// bandwidth. A layer during which the share changes goes on at the new pace with what remains of it.
class SimulatedAccelerator final : public Plant {
 public:
  // The share of the bandwidth that is left from a point in time on, and until when (later than that point).
  struct Phase {
    double share = 1;
    Seconds until;
  };
  using Neighbour = std::function<Phase(Seconds now)>;

  // Contract: the demands are those of the hardware at full bandwidth.
  SimulatedAccelerator(const Hardware& hardware, std::vector<Demand> demands, Neighbour neighbour)
      : hardware_(hardware),
        demands_(std::move(demands)),
        neighbour_(std::move(neighbour)),
        clock_(hardware.clock) {}

  Result<Seconds> run(std::size_t layer, const Setting& setting) override;
  Result<Seconds> finish() override;

  Seconds now() const { return now_; }
  Joules energy() const { return energy_; }

 private:
  LayerTime time_at(std::size_t layer, const Setting& setting, double share, int switches);

  Hardware hardware_;
  std::vector<Demand> demands_;
  Neighbour neighbour_;
  Hertz clock_;
  Seconds now_;
  Joules energy_;
  using Key = std::tuple<std::size_t, Hertz, Hertz, std::int64_t, double, double, int>;
  std::map<Key, LayerTime> known_;  // networks run again and again
};

}  // namespace ergon::allocate
