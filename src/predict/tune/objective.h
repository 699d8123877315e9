#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "predict/tune/operating_point.h"

namespace ergon::predict {

// What to minimize, per sample so that batches are comparable. Minimal time is maximal throughput.
enum class Objective : std::uint8_t { energy, energy_delay, time, price };
std::string_view name_of(Objective objective);  // "energy-delay"
std::vector<Objective> all_objectives();

// Prices of energy and GPU time, in any currency.
struct Prices {
  std::optional<double> per_kwh;
  std::map<std::string, double> per_gpu_hour;  // by device; absent: time is free
  std::optional<double> carbon_grams_per_kwh;

  bool any() const { return per_kwh || !per_gpu_hour.empty(); }
};

// Per sample; absent without prices.
std::optional<double> price_of(const OperatingPoint& point, const Prices& prices);
// Grams of CO2 per sample; absent without a carbon intensity.
std::optional<double> carbon_of(const OperatingPoint& point, const Prices& prices);

// Lower is better. Contract: Objective::price needs prices.
double score(Objective objective, const OperatingPoint& point, const Prices& prices);

}  // namespace ergon::predict
