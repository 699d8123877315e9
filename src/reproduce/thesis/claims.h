#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "reproduce/claim.h"
#include "reproduce/thesis/study.h"

namespace ergon::reproduce {

// Claims of C. Nicolai's thesis. Claims that need measured tables are not checked without them.
std::vector<Claim> thesis_claims(const ThesisStudy& study);

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

}  // namespace ergon::reproduce
