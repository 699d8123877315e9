#pragma once

#include <optional>

#include <nlohmann/json_fwd.hpp>

#include "fleet/answers/answers.h"

namespace ergon::report {

// What a joule costs.
struct FleetPrices {
  std::optional<double> per_kwh;
  std::optional<double> carbon_grams_per_kwh;
};

// What to show besides events, levels and the fleet as a whole.
struct FleetParts {
  bool hosts = false, gpus = false, time = false;
};

nlohmann::ordered_json fleet_json(const fleet::FleetAnswers& answers, const FleetPrices& prices,
                                  const FleetParts& parts);

}  // namespace ergon::report
