#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"

namespace ergon::predict {

// Where a number comes from: learned from a table of this device, a twin corrected by a few of its rows, or
// the twin alone.
enum class Regime : std::uint8_t { learned, calibrated, twin };
std::string_view name_of(Regime regime);

// A value with an interval that holds the truth nine times out of ten.
template <typename Q>
struct Expected {
  Q value, low, high;
};

using JouleSeconds = Quantity<Dimension{.joule = 1, .second = 1}>;

// What one iteration of a network costs at a setting, once everything has settled.
struct Forecast {
  Regime regime = Regime::twin;
  Hertz clock;              // that it runs at
  bool limited = false;     // a power limit holds the clock below what was asked for
  bool kept = true;         // false: even the lowest clock draws more than the limit
  bool host_bound = false;  // the device waits for its host, whose pace differs from machine to machine
  Expected<Seconds> time;
  Expected<Watts> power;
  Expected<Joules> energy;
  Expected<Joules> energy_per_sample;
  Expected<JouleSeconds> energy_delay;
};

// One kind of operation, attributes and extents alike, all its occurrences together.
struct OperationForecast {
  std::string kind, description;
  double count = 1;
  Seconds time;
  Joules energy;
};

}  // namespace ergon::predict
