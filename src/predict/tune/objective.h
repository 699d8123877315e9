#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/prices.h"
#include "predict/tune/operating_point.h"

namespace ergon::predict {

// What to minimize, per sample so that batches are comparable. Minimal time is maximal throughput.
enum class Objective : std::uint8_t { energy, energy_delay, time, price };
std::string_view name_of(Objective objective);  // "energy-delay"
std::vector<Objective> all_objectives();

// Per sample; absent without prices.
std::optional<double> price_of(const OperatingPoint& point, const Prices& prices);
// Grams of CO2 per sample; absent without a carbon intensity.
std::optional<double> carbon_of(const OperatingPoint& point, const Prices& prices);

// Lower is better. Contract: Objective::price needs prices.
double score(Objective objective, const OperatingPoint& point, const Prices& prices);

}  // namespace ergon::predict
