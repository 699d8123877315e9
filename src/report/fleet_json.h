#pragma once

#include <optional>

#include <nlohmann/json_fwd.hpp>

#include "fleet/summary/fleet_summary.h"

namespace ergon::report {

// Prices of energy.
struct FleetPrices {
  std::optional<double> per_kwh;
  std::optional<double> carbon_grams_per_kwh;
};

// Optional sections of the document.
struct FleetParts {
  bool hosts = false, gpus = false, time = false;
};

nlohmann::ordered_json fleet_json(const fleet::FleetSummary& summary, const FleetPrices& prices,
                                  const FleetParts& parts);

}  // namespace ergon::report
