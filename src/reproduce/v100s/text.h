#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "report/table_style.h"
#include "reproduce/claim.h"
#include "reproduce/v100s/study.h"

namespace ergon::reproduce {

// The study as text and as JSON.
std::string v100s_text(const V100sStudy& study, const std::vector<Claim>& claims, bool claims_only,
                       const report::TableStyle& style);
nlohmann::ordered_json v100s_json(const V100sStudy& study, const std::vector<Claim>& claims,
                                  bool claims_only);

}  // namespace ergon::reproduce
