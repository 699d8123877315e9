#include "reproduce/arada/reproduction.h"

#include <memory>

#include <nlohmann/json.hpp>

#include "reproduce/arada/claims.h"
#include "reproduce/arada/study.h"
#include "reproduce/arada/tables.h"

namespace ergon::reproduce {

Result<Reproduction> reproduce_arada(const Environment& environment) {
  auto studied = study_arada(environment.stop);
  if (!studied) return studied.error();
  const auto study = std::make_shared<const AradaStudy>(std::move(*studied));
  Reproduction result;
  result.paper = "arada";
  result.title = "ARADA (Azhar, Zouzoula and Trancoso, Computing Frontiers 2023)";
  result.schema = "ergon.reproduce.arada/2";
  result.claims = arada_claims(*study);
  result.text = [study, claims = result.claims](const report::TableStyle& style, bool claims_only) {
    return arada_text(*study, claims, claims_only, style);
  };
  result.json = [study, claims = result.claims](bool claims_only) {
    return arada_json(*study, claims, claims_only);
  };
  return result;
}

}  // namespace ergon::reproduce
