#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "reproduce/claim.h"
#include "reproduce/thesis_study.h"

namespace ergon::app {

// What a claim was held against: rows that the thesis measured, predictors, this machine's clock, or nothing.
enum class Basis { measured, model, timed, none };
std::string_view name_of(Basis basis);

struct ThesisClaim {
  Basis basis = Basis::none;
  Claim claim;  // without a basis: `ours` says why it was not checked, and the verdict means nothing

  bool fails() const { return basis != Basis::none && claim.verdict == Verdict::no; }
};

std::vector<ThesisClaim> thesis_claims(const ThesisStudy& study);

// Tables 5.1 to 5.4: the coefficient of determination of two learners.
struct PrintedScore {
  double random_forest, xgboost;

  double better() const { return random_forest > xgboost ? random_forest : xgboost; }
};
struct PrintedTable {
  std::string_view where, title;
  std::string_view device;
  predict::Kind kind;  // the public rows that are nearest
  PrintedScore time_folds, time_held_out, power_folds, power_held_out;
};
const std::array<PrintedTable, 4>& printed_tables();

}  // namespace ergon::app
