#include "meter/steady_power.h"

#include <cmath>

#include "base/statistics/moments.h"

namespace ergon::meter {
namespace {

constexpr double kSigmas = 3;

struct MeanAndSpread {
  double mean = 0, spread = 0;
};

template <typename Keep>
MeanAndSpread moments_of(std::span<const Watts> readings, const Keep& keep) {
  statistics::Moments moments;
  for (const Watts reading : readings) {
    if (keep(reading.si())) moments.add(reading.si());
  }
  return {moments.mean().value_or(0), moments.standard_deviation().value_or(0)};
}

}  // namespace

SteadyPower steady_power(std::span<const Watts> readings) {
  const MeanAndSpread all = moments_of(readings, [](double) { return true; });
  // If all readings are equal, the spread is 0 and none is excluded.
  const auto within = [&](double reading) {
    return all.spread == 0 || std::fabs(reading - all.mean) < kSigmas * all.spread;
  };
  const MeanAndSpread kept = moments_of(readings, within);
  SteadyPower power{Watts{kept.mean}, Watts{kept.spread}, 0, 0};
  for (const Watts reading : readings) ++(within(reading.si()) ? power.kept : power.dropped);
  return power;
}

}  // namespace ergon::meter
