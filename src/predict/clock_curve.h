#pragma once

#include <functional>
#include <vector>

#include "device/twin/steady.h"

namespace ergon::predict {

// A network's time and power over the clock: the shape is the twin's, the scale that of a reference point. It
// is worked out at some clocks once and looked up between them.
class ClockCurve {
 public:
  ClockCurve() = default;
  // `activity` is one iteration at a clock, kernels only; `host` what the host needs meanwhile.
  ClockCurve(const device::Specification& gpu, const std::function<device::Activity(Hertz)>& activity,
             Seconds host);

  struct Point {
    Hertz clock;
    Seconds time, kernels, host;
    Watts power;
    bool limited = false;
    bool kept = true;
  };
  // The highest clock up to `asked` at which power stays within the limit.
  Point settle(const device::Specification& gpu, Hertz asked, Watts limit) const;
  Point at(const device::Specification& gpu, Hertz clock) const;

  // From here on power at this clock is `power`, and at all others in proportion.
  void set_power(const device::Specification& gpu, Hertz clock, Watts power);
  // Times too.
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
