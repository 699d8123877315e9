#pragma once

#include <functional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "report/table_style.h"
#include "reproduce/claim.h"
#include "reproduce/terascope/study.h"

namespace ergon::reproduce {

// The text of `ergon fleet analyze`.
using FleetText = std::function<std::string(const fleet::FleetSummary&, const report::TableStyle&)>;

// The study as text and as JSON.
std::string terascope_text(const TeraScopeStudy& study, const std::vector<Claim>& claims, bool claims_only,
                           const FleetText& fleet_text, const report::TableStyle& style);
nlohmann::ordered_json terascope_json(const TeraScopeStudy& study, const std::vector<Claim>& claims,
                                      bool claims_only);

}  // namespace ergon::reproduce
