#pragma once

#include <functional>
#include <vector>

#include "device/twin/steady_state.h"

namespace ergon::predict {

// Time and power of one iteration as a function of the core clock. The shape comes from the twin, the scale
// from a reference point. Values are computed at a fixed set of clocks and interpolated between them.
class ClockCurve {
 public:
  ClockCurve() = default;
  // `activity`: one iteration at a clock, kernels only. `host`: launch time of the same iteration.
  ClockCurve(const device::Specification& gpu, const std::function<device::Activity(Hertz)>& activity,
             Seconds host);

  struct Point {
    Hertz clock;
    Seconds time, kernels, host;
    Watts power;
    bool limited = false;    // the power limit lowers the clock
    bool limit_held = true;  // false: power exceeds the limit even at the lowest clock
  };
  // The highest clock up to `requested` at which power stays within the limit.
  Point settle(const device::Specification& gpu, Hertz requested, Watts limit) const;
  Point at(const device::Specification& gpu, Hertz clock) const;

  // Scales power at all clocks so that it is `power` at `clock`.
  void set_power(const device::Specification& gpu, Hertz clock, Watts power);
  // Scales kernel time at all clocks so that it is `kernels` at `clock`.
  void set_kernels(const device::Specification& gpu, Hertz clock, Seconds kernels);
  void set_host(Seconds host) { host_ = host; }

 private:
  struct Knot {
    double clock = 0, kernels = 0, busy = 0;  // logarithms
  };
  device::Activity activity_at(Hertz clock) const;

  std::vector<Knot> knots_;
  Joules work_, transfers_;
  Seconds host_;
  double time_scale_ = 1, power_scale_ = 1;
};

}  // namespace ergon::predict
