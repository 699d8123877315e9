#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "reproduce/claim.h"
#include "reproduce/thesis_study.h"

namespace ergon::app {

// What a claim was compared with: measured rows of the thesis, predictors, times of this machine; none: not
// checked.
enum class ClaimSource { measured, model, timed, none };
std::string_view name_of(ClaimSource source);

struct ThesisClaim {
  ClaimSource source = ClaimSource::none;
  Claim claim;  // not checked: `ours` has the reason, and the verdict is meaningless

  bool fails() const { return source != ClaimSource::none && claim.verdict == Verdict::no; }
};

std::vector<ThesisClaim> thesis_claims(const ThesisStudy& study);

// Tables 5.1 to 5.4: R2 of two learners.
struct PrintedScore {
  double random_forest, xgboost;

  double better() const { return random_forest > xgboost ? random_forest : xgboost; }
};
struct PrintedTable {
  std::string_view where, title;
  std::string_view device;
  predict::ConfigKey kind;  // of the closest public rows
  PrintedScore time_folds, time_held_out, power_folds, power_held_out;
};
const std::array<PrintedTable, 4>& printed_tables();

}  // namespace ergon::app
