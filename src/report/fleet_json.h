#pragma once

#include <nlohmann/json_fwd.hpp>

#include "base/prices.h"
#include "fleet/summary/fleet_summary.h"

namespace ergon::report {

// Optional sections of the document.
struct FleetParts {
  bool hosts = false, gpus = false, time = false, tasks = false;
};

// Energy is priced by the kilowatt-hour; prices of GPU time are not used.
nlohmann::ordered_json fleet_json(const fleet::FleetSummary& summary, const Prices& prices,
                                  const FleetParts& parts);

}  // namespace ergon::report
