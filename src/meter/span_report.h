#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "device/device.h"
#include "meter/energy_curve.h"
#include "meter/sensor_facts.h"

namespace ergon::meter {

// State of a device while a window was open, besides its power.
struct DeviceState {
  device::EventReasons reasons;
  std::set<std::int64_t> other_processes;  // PIDs on the device, except this process and its descendants
  std::optional<Celsius> temperature_min, temperature_max;
  std::optional<Hertz> clock_min, clock_max;  // core clocks, as observed
  bool power_limit_lowered = false;           // the power limit is below the default

  void add(const DeviceState& other);
};

// Readings of one device during one window, without correction of gain and offset.
struct SpanReport {
  device::Identity device;
  bool simulated = false;
  std::optional<SensorFacts> sensor;  // absent: only the energy counter was read
  Instant begin, end;
  EnergyBetween energy;
  Watts highest;
  Seconds period;                           // between reads
  std::uint64_t samples = 0, dropped = 0;   // used readings; failed or implausible readings
  Seconds unchanged;                        // longest time without a change of the value
  std::optional<Joules> counted;            // by the energy counter
  std::optional<Joules> integrated;         // by the power readings alone
  std::optional<Joules> counter_deviation;  // standard deviation of their difference
  std::uint64_t reads = 0;                  // attempted reads
  bool counter_stopped = false;             // the energy counter does not increase
  DeviceState device_state;
  std::vector<Watts> readings;  // all readings, with Options::keep_readings
  // The window has some energy.
  bool known() const { return energy.energy > Joules{0}; }
  std::optional<Error> failure;  // the device was lost; the values above are from before
};

}  // namespace ergon::meter
