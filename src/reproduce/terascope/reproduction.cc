#include "reproduce/terascope/reproduction.h"

#include <memory>

#include <nlohmann/json.hpp>

#include "reproduce/terascope/claims.h"

namespace ergon::reproduce {

Result<Reproduction> reproduce_terascope(const TeraScopeOptions& options, const Environment& environment) {
  const auto files = find_terascope_files(options.folder);
  if (!files) return files.error();
  const bool complete = files->missing_data.empty();
  if (!complete && options.require_data) return fail(Errc::not_found, "{}", files->missing_data);
  auto studied = complete ? study_terascope(*files, environment) : Result<TeraScopeStudy>(TeraScopeStudy{});
  if (!studied) return studied.error();
  const auto study = std::make_shared<const TeraScopeStudy>(std::move(*studied));

  Reproduction result;
  result.paper = "terascope";
  result.title = "TeraScope (P. Pradeep, report for CSC8634, Newcastle University, 2023)";
  result.schema = "ergon.reproduce.terascope/3";
  result.inputs = study->files;
  result.simulated = study->reconstructed;
  result.claims = terascope_claims(*study);
  if (!complete) {
    result.missing_data.push_back(files->missing_data);
    for (Claim& claim : result.claims) claim = not_checked(std::move(claim), "data files not found");
  }
  result.text = [study, claims = result.claims, fleet_text = options.fleet_text, complete](
                    const report::TableStyle& style, bool claims_only) {
    return terascope_text(*study, claims, claims_only || !complete, fleet_text, style);
  };
  result.json = [study, claims = result.claims, complete](bool claims_only) {
    return terascope_json(*study, claims, claims_only || !complete);
  };
  return result;
}

}  // namespace ergon::reproduce
