#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/units.h"
#include "predict/forecast.h"

namespace ergon::predict {

using SamplesPerSecond = Quantity<Dimension{.second = -1}>;

// A way to run a network, and what it costs there.
struct OperatingPoint {
  std::string device;
  std::int64_t batch = 1;
  std::optional<Hertz> clock;  // locked; nothing: the GPU's own
  Watts limit;
  bool usual_limit = true;
  Forecast forecast;

  Seconds latency() const { return forecast.time.value; }  // of an iteration
  Seconds time_per_sample() const { return latency() / static_cast<double>(batch); }
  SamplesPerSecond throughput() const {
    return SamplesPerSecond{static_cast<double>(batch) / latency().si()};
  }
  Watts power() const { return forecast.power.value; }
  Joules energy_per_sample() const { return forecast.energy_per_sample.value; }
  bool has_default_settings() const { return !clock && usual_limit; }
};

// The share of `reference`'s energy per sample that `point` does without; negative where it takes more.
inline double energy_saving(const OperatingPoint& point, const OperatingPoint& reference) {
  return 1 - (point.energy_per_sample() / reference.energy_per_sample()).si();
}

// "1203/s", without an exponent however many there are.
std::string throughput_text(SamplesPerSecond throughput);

// "a30 at batch 8, 900 MHz, limit 165 W".
std::string place_text(const OperatingPoint& point);

}  // namespace ergon::predict
