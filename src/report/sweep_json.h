#pragma once

#include <nlohmann/json_fwd.hpp>

#include "sweep/evaluation/evaluation.h"

namespace ergon::report {

// The body of `ergon sweep evaluate --json`; docs/json.md lists the fields. `with_points` adds every point of
// every network as "series".
nlohmann::ordered_json sweep_evaluation_json(const sweep::SweepEvaluation& evaluation,
                                             bool with_points = false);

}  // namespace ergon::report
