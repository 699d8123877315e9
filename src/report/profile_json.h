#pragma once

#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "profile/runner.h"
#include "profile/validation.h"

namespace ergon::report {

// Row counts by status, and the networks; docs/json.md lists the fields.
nlohmann::ordered_json profile_json(const profile::RunSummary& summary,
                                    const std::vector<profile::Row>& networks);
nlohmann::ordered_json validation_json(const profile::Validation& validation);

}  // namespace ergon::report
