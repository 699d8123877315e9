#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "report/table_style.h"

namespace ergon::reproduce {

// How far a published claim holds here. The order is that of worse verdicts.
enum class Verdict { exactly, approximately, no, not_checked };
// "not checked" for not_checked.
std::string_view name_of(Verdict verdict);

// What a claim was compared with, in studies that have several sources: measured rows of the paper,
// predictors, times of this machine.
enum class ClaimSource { measured, model, timed };
std::string_view name_of(ClaimSource source);

struct Claim {
  std::string where;  // section, table or figure of the paper
  std::string claim;  // paraphrased
  std::string paper;  // the published value; empty: the paper gives none
  std::string ours;   // not checked: why not
  Verdict verdict = Verdict::no;
  std::string reason;
  bool fitted = false;  // parameters or a rule were fitted to this claim
  std::string id = {};  // for programs; empty: the claim has none
  std::optional<ClaimSource> source = std::nullopt;
};

// The claim with the verdict not_checked.
Claim not_checked(Claim claim, std::string_view why);

// Verdict of a claim without a number.
Verdict holds_if(bool holds);

// Verdict of a percentage: exactly if it rounds to the printed number (`digits` decimals), approximately
// within 3 points or a tenth of the printed number.
Verdict compare_percent(double paper, int digits, double ours);

// No checked claim has the verdict "no".
bool all_hold(const std::vector<Claim>& claims);

// Number of claims by verdict.
struct ClaimCounts {
  std::size_t claims = 0, exactly = 0, approximately = 0, no = 0, not_checked = 0;

  std::size_t hold() const { return exactly + approximately; }
  ClaimCounts& operator+=(const ClaimCounts& other);
};
ClaimCounts count_of(const std::vector<Claim>& claims);

// A numbered block per claim: where and verdict, the claim, both values, the reason. Lines have at most 80
// columns, or fewer if the style is narrower. A reason that several claims share is printed once.
std::string claims_text(const std::vector<Claim>& claims, const report::TableStyle& style);

// The claims[] of every ergon.reproduce document (docs/json.md).
nlohmann::ordered_json claims_json(const std::vector<Claim>& claims);

}  // namespace ergon::reproduce
