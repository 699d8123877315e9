#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "report/table_style.h"
#include "reproduce/batchsizer/study.h"
#include "reproduce/claim.h"

namespace ergon::reproduce {

// The study as text and as JSON.
std::string batchsizer_text(const BatchSizerStudy& study, const std::vector<Claim>& claims, bool claims_only,
                            const report::TableStyle& style);
nlohmann::ordered_json batchsizer_json(const BatchSizerStudy& study, const std::vector<Claim>& claims,
                                       bool claims_only);

}  // namespace ergon::reproduce
