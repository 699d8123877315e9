#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "base/clock.h"
#include "device/twin/clock_grid.h"
#include "device/twin/load.h"

namespace ergon::device {

// State of a GPU at a constant clock and load. Leakage makes power rise with temperature, and temperature
// follows power; both approach an equilibrium:
//
//   P(T) = cold + leak (T - 40),    tau dT/dt = ambient + R P(T) - T
//
// This is linear in T, so T approaches the equilibrium exponentially with the time constant
// tau / (1 - R leak). Temperature and energy at any later time have closed forms; no time steps are needed.
struct OperatingPoint {
  Hertz clock;
  Watts power;          // at equilibrium
  Celsius temperature;  // at equilibrium
  WattsPerKelvin leak;
  Seconds time_constant;       // of the approach to equilibrium
  double left_after_tick = 0;  // remaining share of the temperature difference after one regulator period
  Seconds iteration;           // per iteration; 0 if idle

  Watts power_at(Celsius current) const { return power + leak * (current - temperature); }
  Celsius after_tick(Celsius current) const {
    return temperature + (current - temperature) * left_after_tick;
  }
};

// Idle, without a CUDA context.
OperatingPoint bare_point(const Specification& gpu);

// Operating points of one load, or of an idle GPU with an open context, at every clock of the grid. Computed
// on first use and cached.
class OperatingPoints {
 public:
  // `load` may be null for an idle GPU. Contract: a load has operations and was made for this GPU.
  OperatingPoints(std::shared_ptr<const Specification> gpu, std::shared_ptr<const Load> load);

  const OperatingPoint& at(std::size_t step);
  const std::shared_ptr<const Load>& load() const { return load_; }

 private:
  std::shared_ptr<const Specification> gpu_;
  std::shared_ptr<const Load> load_;
  ClockGrid grid_;
  std::vector<std::optional<OperatingPoint>> points_;
};

// A time span at one operating point, starting from the state at its begin.
struct OperatingPhase {
  struct State {
    Joules energy;
    Celsius temperature;
    double iterations = 0;
  };

  Instant begin;
  State reached;  // at `begin`
  OperatingPoint point;

  // Contract: `time` is not before `begin`.
  State at(Instant time) const;
};

}  // namespace ergon::device
