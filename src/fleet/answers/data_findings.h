#pragma once

#include "fleet/answers/answers.h"

namespace ergon::fleet {

// What is wrong with the telemetry, or would mislead whoever reads it in the usual way.
std::vector<Finding> data_findings(const Tally& tally, const FleetAnswers& answers);

}  // namespace ergon::fleet
