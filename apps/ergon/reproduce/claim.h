#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "report/table_style.h"

namespace ergon::app {

// How far a published claim holds here.
enum class Verdict { exactly, approximately, no };
std::string_view name_of(Verdict verdict);

struct Claim {
  std::string where;  // section, table or figure of the paper
  std::string claim;  // paraphrased
  std::string paper;  // the published value; empty: the paper gives none
  std::string ours;
  Verdict verdict = Verdict::no;
  std::string reason;
  bool fitted = false;  // parameters or a rule were fitted to this claim
  std::string id = {};  // for programs; empty: the claim has none
};

// Verdict of a claim without a number.
Verdict holds_if(bool holds);

// Verdict of a percentage: exactly if it rounds to the printed number (`digits` decimals), approximately
// within 3 points or a tenth of the printed number.
Verdict compare_percent(double paper, int digits, double ours);

// A claim and the text of its verdict, "holds: exactly" or "not checked". The claim outlives it.
struct JudgedClaim {
  const Claim* claim;
  std::string verdict;
};

// A numbered block per claim: where and verdict, the claim, both values, the reason. Lines have at most 80
// columns, or fewer if the style is narrower. A reason that several claims share is printed once.
std::string claims_text(std::span<const JudgedClaim> claims, const report::TableStyle& style);
std::string claims_text(const std::vector<Claim>& claims, const report::TableStyle& style);

nlohmann::ordered_json claims_json(const std::vector<Claim>& claims);

}  // namespace ergon::app
