#include "reproduce/thesis/reproduction.h"

#include <memory>

#include <nlohmann/json.hpp>

#include "reproduce/thesis/claims.h"
#include "reproduce/thesis/text.h"

namespace ergon::reproduce {

Result<Reproduction> reproduce_thesis(const ThesisOptions& options, const predict::Learner& learner,
                                      const Environment& environment) {
  auto studied = study_thesis(options, learner, environment);
  if (!studied) return studied.error();
  const auto study = std::make_shared<const ThesisStudy>(std::move(*studied));
  Reproduction result;
  result.paper = "thesis";
  result.title =
      "On Energy Modeling of Deep Neural Network Operations (C. Nicolai, master thesis, Heidelberg "
      "University)";
  result.schema = "ergon.reproduce.thesis/3";
  if (!study->folder.empty()) result.inputs.push_back(study->folder);
  if (!study->missing_data.empty()) result.missing_data.push_back(study->missing_data);
  result.claims = thesis_claims(*study);
  result.text = [study, claims = result.claims](const report::TableStyle& style, bool claims_only) {
    return thesis_text(*study, claims, claims_only, style);
  };
  result.json = [study, claims = result.claims](bool claims_only) {
    return thesis_json(*study, claims, claims_only);
  };
  return result;
}

}  // namespace ergon::reproduce
