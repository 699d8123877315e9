#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"

namespace ergon::predict {

// What a prediction comes from: a model of measured rows, a twin adjusted by a few rows, or the twin alone.
enum class PredictionSource : std::uint8_t { learned, calibrated, twin };
std::string_view name_of(PredictionSource source);

// A value and its 90 % interval.
template <typename Q>
struct PredictedValue {
  Q value, low, high;
};

using JouleSeconds = Quantity<Dimension{.joule = 1, .second = 1}>;

// One iteration of a network at a clock and power limit, in steady state.
struct Prediction {
  PredictionSource source = PredictionSource::twin;
  Hertz clock;              // at which it runs
  bool limited = false;     // the power limit lowers the clock below the requested one
  bool limit_held = true;   // false: power exceeds the limit even at the lowest clock
  bool host_bound = false;  // limited by kernel launches; differs from machine to machine
  PredictedValue<Seconds> time;
  PredictedValue<Watts> power;
  PredictedValue<Joules> energy;
  PredictedValue<Joules> energy_per_sample;
  PredictedValue<JouleSeconds> energy_delay;
};

// All occurrences of one operation (same type, attributes and shapes).
struct OperationPrediction {
  std::string kind, description;
  double count = 1;
  Seconds time;
  Joules energy;
};

}  // namespace ergon::predict
