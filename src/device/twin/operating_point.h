#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "base/clock.h"
#include "device/twin/clock_grid.h"
#include "device/twin/load.h"

namespace ergon::device {

// What a chip does at one clock for as long as nothing changes. Power rises with temperature because a warm
// chip leaks, and temperature follows power, so that both go towards a balance:
//
//   P(T) = cold + leak (T - 40),    tau dT/dt = ambient + R P(T) - T
//
// is linear in T, and hence T goes to the balance exponentially, with tau / (1 - R leak). Nothing needs to be
// stepped: temperature and energy at any later moment are closed forms.
struct OperatingPoint {
  Hertz clock;
  Watts power;          // at the balance
  Celsius temperature;  // at the balance
  WattsPerKelvin leak;
  Seconds time_constant;       // on the way to the balance
  double left_after_tick = 0;  // of the way to the balance, when one period of the power regulator has passed
  Seconds iteration;           // from one iteration to the next; 0 where none run

  Watts power_at(Celsius now) const { return power + leak * (now - temperature); }
  Celsius after_tick(Celsius now) const { return temperature + (now - temperature) * left_after_tick; }
};

// Nothing runs and nobody holds a context.
OperatingPoint bare_point(const Specification& gpu);

// The points of one load, or of an idle chip with a context open, at every clock of the grid. Each is
// computed when it is first asked for, and kept.
class OperatingPoints {
 public:
  // Without a load, those of the idle chip. Contract: a load has operations, and was made for this chip.
  OperatingPoints(std::shared_ptr<const Specification> gpu, std::shared_ptr<const Load> load);

  const OperatingPoint& at(std::size_t step);
  const std::shared_ptr<const Load>& load() const { return load_; }

 private:
  std::shared_ptr<const Specification> gpu_;
  std::shared_ptr<const Load> load_;
  ClockGrid grid_;
  std::vector<std::optional<OperatingPoint>> points_;
};

// A stretch of time at one operating point, from what was reached before it.
struct Stretch {
  struct State {
    Joules energy;
    Celsius temperature;
    double iterations = 0;
  };

  Instant begin;
  State reached;
  OperatingPoint point;

  // Contract: not before `begin`.
  State at(Instant moment) const;
};

}  // namespace ergon::device
