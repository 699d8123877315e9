#pragma once

#include <cstddef>
#include <optional>
#include <stop_token>
#include <vector>

#include "base/clock.h"
#include "meter/meter.h"

namespace ergon::meter {

// The energy of a window above the idle energy of its devices, which is their idle power times the duration
// of the window.
struct AboveIdle {
  // Valid if the measurement in total and idle power are. `reasons` has those of both, the latter as code
  // "idle_other_process" and text "before the command: ..."; `notes` are those in total.
  Measurement net;
  Joules idle;                       // of the window
  Joules uncertainty;                // of `idle`: half of the 95 % interval
  Watts idle_power;                  // mean over the idle window
  Watts idle_deviation;              // its uncertainty: half of the 95 % interval
  Seconds idle_window;               // how long idle power was measured
  std::vector<Reason> idle_reasons;  // why idle power is not valid; empty: valid

  // Whether the 95 % interval of the energy above idle is above 0. A net energy that is not has no
  // meaningful share of anything.
  bool distinguishable() const { return net.energy > net.uncertainty; }
  // Whether it is below 0: the devices drew less than in the idle window.
  bool below_idle() const { return net.energy < -1 * net.uncertainty; }
};

// Devices that are reported together.
struct DeviceGroup {
  Measurement total;
  std::optional<AboveIdle> above_idle;  // if idle power was measured
};

// A measurement of the selected devices and, beside it, of the processors.
struct GroupedMeasurement {
  DeviceGroup selected;
  std::optional<DeviceGroup> processors;
};

// `reports`: one window, first the `selected` devices, then the processors. `idle`: a window of the same
// devices without work; absent: nothing is subtracted.
GroupedMeasurement grouped(const std::vector<SpanReport>& reports, std::size_t selected,
                           const std::optional<std::vector<SpanReport>>& idle);

// Measures from now on for `duration`; shorter after a stop request. Errors: those of Window::reports().
Result<std::vector<SpanReport>> reports_over(Meter& meter, Seconds duration, Clock& clock,
                                             const std::stop_token& stop);

}  // namespace ergon::meter
