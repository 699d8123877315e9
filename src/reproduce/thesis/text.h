#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "report/table_style.h"
#include "reproduce/thesis/claims.h"
#include "reproduce/thesis/study.h"

namespace ergon::reproduce {

// The study as text and as JSON.
std::string thesis_text(const ThesisStudy& study, const std::vector<Claim>& claims, bool claims_only,
                        const report::TableStyle& style);
nlohmann::ordered_json thesis_json(const ThesisStudy& study, const std::vector<Claim>& claims,
                                   bool claims_only);

}  // namespace ergon::reproduce
