#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "predict/tune/operating_point.h"

namespace ergon::predict {

// What is to be least. All are of one sample, so that batches can be compared: least time is most throughput.
enum class Objective : std::uint8_t { energy, energy_delay, time, price };
std::string_view name_of(Objective objective);  // "energy-delay"
std::vector<Objective> all_objectives();

// What joules and seconds cost, in whatever currency.
struct Prices {
  std::optional<double> per_kwh;
  std::map<std::string, double> per_gpu_hour;  // by device; absent where time costs nothing
  std::optional<double> carbon_grams_per_kwh;

  bool any() const { return per_kwh || !per_gpu_hour.empty(); }
};

// Of a sample; nothing where there is no price.
std::optional<double> price_of(const OperatingPoint& point, const Prices& prices);
// Grams of CO2 of a sample.
std::optional<double> carbon_of(const OperatingPoint& point, const Prices& prices);

// Less is better. Contract: a price needs prices.
double score(Objective objective, const OperatingPoint& point, const Prices& prices);

}  // namespace ergon::predict
