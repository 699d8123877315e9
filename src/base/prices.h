#pragma once

#include <map>
#include <optional>
#include <string>

#include "base/units.h"

namespace ergon {

inline constexpr double kJoulesPerKwh = 3.6e6;
inline constexpr double kSecondsPerHour = 3600;

inline double kwh(Joules energy) { return energy.si() / kJoulesPerKwh; }

// Prices of energy and GPU time, in any currency, and the carbon intensity of energy.
struct Prices {
  std::optional<double> per_kwh;
  std::map<std::string, double> per_gpu_hour;  // by device; absent: time is free
  std::optional<double> carbon_grams_per_kwh;

  bool any() const { return per_kwh || !per_gpu_hour.empty(); }
  // Absent without a price or an intensity.
  std::optional<double> of_energy(Joules energy) const {
    return per_kwh ? std::optional(kwh(energy) * *per_kwh) : std::nullopt;
  }
  std::optional<double> carbon_grams(Joules energy) const {
    return carbon_grams_per_kwh ? std::optional(kwh(energy) * *carbon_grams_per_kwh) : std::nullopt;
  }
};

}  // namespace ergon
