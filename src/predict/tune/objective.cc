#include "predict/tune/objective.h"

#include "base/contract.h"

namespace ergon::predict {

std::string_view name_of(Objective objective) {
  switch (objective) {
    case Objective::energy:
      return "energy";
    case Objective::energy_delay:
      return "energy-delay";
    case Objective::time:
      return "time";
    case Objective::price:
      break;
  }
  return "price";
}

std::vector<Objective> all_objectives() {
  return {Objective::energy, Objective::energy_delay, Objective::time, Objective::price};
}

std::optional<double> price_of(const OperatingPoint& point, const Prices& prices) {
  if (!prices.any()) return std::nullopt;
  double price = prices.per_kwh.value_or(0) * point.energy_per_sample().si() / kJoulesPerKwh;
  if (const auto hour = prices.per_gpu_hour.find(point.device); hour != prices.per_gpu_hour.end())
    price += hour->second * point.time_per_sample().si() / kSecondsPerHour;
  return price;
}

std::optional<double> carbon_of(const OperatingPoint& point, const Prices& prices) {
  if (!prices.carbon_grams_per_kwh) return std::nullopt;
  return *prices.carbon_grams_per_kwh * point.energy_per_sample().si() / kJoulesPerKwh;
}

double score(Objective objective, const OperatingPoint& point, const Prices& prices) {
  switch (objective) {
    case Objective::energy:
      return point.energy_per_sample().si();
    case Objective::energy_delay:
      return (point.energy_per_sample() * point.time_per_sample()).si();
    case Objective::time:
      return point.time_per_sample().si();
    case Objective::price:
      break;
  }
  const auto price = price_of(point, prices);
  ERGON_EXPECTS(price);
  return *price;
}

}  // namespace ergon::predict
