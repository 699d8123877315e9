#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/units.h"
#include "predict/prediction.h"

namespace ergon::predict {

using SamplesPerSecond = Quantity<Dimension{.second = -1}>;

// Device, batch, clock and power limit, with the prediction there.
struct OperatingPoint {
  std::string device;
  std::int64_t batch = 1;
  std::optional<Hertz> clock;  // locked; absent: default clock
  Watts limit;
  bool default_limit = true;
  Prediction prediction;

  Seconds latency() const { return prediction.time.value; }  // per iteration
  Seconds time_per_sample() const { return latency() / static_cast<double>(batch); }
  SamplesPerSecond throughput() const {
    return SamplesPerSecond{static_cast<double>(batch) / latency().si()};
  }
  Watts power() const { return prediction.power.value; }
  Joules energy_per_sample() const { return prediction.energy_per_sample.value; }
};

// Share of the reference's energy per sample that `point` saves; negative if it needs more.
inline double energy_saving(const OperatingPoint& point, const OperatingPoint& reference) {
  return 1 - (point.energy_per_sample() / reference.energy_per_sample()).si();
}

// "1203/s", never with an exponent.
std::string throughput_text(SamplesPerSecond throughput);

// "a30, batch 8, 900 MHz, limit 165 W".
std::string point_text(const OperatingPoint& point);

}  // namespace ergon::predict
