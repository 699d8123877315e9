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

// What was seen of a device besides its power while a window was open.
struct Surroundings {
  device::EventReasons reasons;
  std::set<std::int64_t> strangers;  // processes on the device that are none of this one's
  std::optional<Celsius> coolest, hottest;
  std::optional<Hertz> slowest, fastest;  // core clocks, as observed
  bool limit_lowered = false;             // somebody has set the power limit below the usual one

  void add(const Surroundings& other);
};

// One device during one window, as its sensor says: nothing is corrected for what sensors get wrong.
struct SpanReport {
  device::Identity device;
  bool simulated = false;
  std::optional<SensorFacts> sensor;  // nothing: the energy counter alone was read
  Instant begin, end;
  EnergyBetween energy;
  Watts highest;
  Seconds period;                          // between reads
  std::uint64_t samples = 0, dropped = 0;  // readings that were used; that failed or were absurd
  Seconds unchanged;                       // the longest time that the same value was read
  std::optional<Joules> counted;           // by the energy counter
  std::optional<Joules> integrated;        // by the power readings alone
  std::optional<Joules> counter_doubt;     // standard deviation of their difference
  std::uint64_t reads = 0;                 // tries to read
  bool counter_stopped = false;            // the energy counter stands still
  Surroundings surroundings;
  std::vector<Watts> readings;  // all of them, where they were kept
  // Whether there is any energy to tell of.
  bool known() const { return energy.energy > Joules{0}; }
  std::optional<Error> failure;  // the device stopped answering; what is said above is of before
};

}  // namespace ergon::meter
