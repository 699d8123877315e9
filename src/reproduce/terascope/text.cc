#include "reproduce/terascope/text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "report/fleet_json.h"

namespace ergon::reproduce {

std::string terascope_text(const TeraScopeStudy& study, const std::vector<Claim>& claims, bool claims_only,
                           const FleetText& fleet_text, const report::TableStyle& style) {
  std::string text = claims_text(claims, style);
  if (claims_only) return text;
  return text + fmt::format("\nDuplicate rows counted once, events integrated{}:\n\n{}",
                            study.reconstructed ? " (samples are reconstructed)" : "",
                            fleet_text(study.duplicates_removed, style));
}

nlohmann::ordered_json terascope_json(const TeraScopeStudy& study, const std::vector<Claim>& claims,
                                      bool claims_only) {
  nlohmann::ordered_json body{{"claims", claims_json(claims)}};
  if (claims_only) return body;
  body["duplicates_counted"] = report::fleet_json(study.duplicates_counted, {}, {});
  body["duplicates_removed"] = report::fleet_json(study.duplicates_removed, {}, {});
  return body;
}

}  // namespace ergon::reproduce
