#include "reproduce/batchsizer/reproduction.h"

#include <memory>

#include <nlohmann/json.hpp>

#include "reproduce/batchsizer/claims.h"
#include "reproduce/batchsizer/study.h"
#include "reproduce/batchsizer/text.h"

namespace ergon::reproduce {

Result<Reproduction> reproduce_batchsizer(const Environment& environment) {
  auto studied = study_batchsizer(environment.stop);
  if (!studied) return studied.error();
  const auto study = std::make_shared<const BatchSizerStudy>(std::move(*studied));
  Reproduction result;
  result.paper = "batchsizer";
  result.title = "BatchSizer (Nabavinejad, Reda and Ebrahimi, ASPDAC 2021)";
  result.schema = "ergon.reproduce.batchsizer/2";
  result.claims = batchsizer_claims(*study);
  result.text = [study, claims = result.claims](const report::TableStyle& style, bool claims_only) {
    return batchsizer_text(*study, claims, claims_only, style);
  };
  result.json = [study, claims = result.claims](bool claims_only) {
    return batchsizer_json(*study, claims, claims_only);
  };
  return result;
}

}  // namespace ergon::reproduce
