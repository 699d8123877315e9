#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "report/table_style.h"
#include "reproduce/arada/study.h"
#include "reproduce/claim.h"

namespace ergon::reproduce {

// The study as text and as JSON: table and figures of the paper, savings of optimal schedules, and claims.
std::string arada_text(const AradaStudy& study, const std::vector<Claim>& claims, bool claims_only,
                       const report::TableStyle& style);
nlohmann::ordered_json arada_json(const AradaStudy& study, const std::vector<Claim>& claims,
                                  bool claims_only);

}  // namespace ergon::reproduce
