#include "reproduce/v100s/reproduction.h"

#include <memory>

#include <nlohmann/json.hpp>

#include "reproduce/v100s/claims.h"
#include "reproduce/v100s/study.h"
#include "reproduce/v100s/text.h"

namespace ergon::reproduce {

Result<Reproduction> reproduce_v100s(const std::optional<sweep::SweepFolder>& folder,
                                     const Environment& environment) {
  auto studied = study_v100s(folder, environment);
  if (!studied) return studied.error();
  const auto study = std::make_shared<const V100sStudy>(std::move(*studied));
  auto claims = v100s_claims(*study);
  if (!claims) return claims.error();
  Reproduction result;
  result.paper = "v100s";
  result.title =
      "Energy-Efficient CNN inferencing on GPUs with Dynamic Frequency Scaling (Drechsler, Metz and Plump)";
  result.schema = "ergon.reproduce.v100s/3";
  result.claims = std::move(*claims);
  result.text = [study, claims = result.claims](const report::TableStyle& style, bool claims_only) {
    return v100s_text(*study, claims, claims_only, style);
  };
  result.json = [study, claims = result.claims](bool claims_only) {
    return v100s_json(*study, claims, claims_only);
  };
  return result;
}

}  // namespace ergon::reproduce
