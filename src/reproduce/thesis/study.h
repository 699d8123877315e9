#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "calibrate/thesis_tables.h"
#include "predict/learn/learner.h"
#include "reproduce/environment.h"
#include "reproduce/thesis/clocks.h"
#include "reproduce/thesis/operations.h"

namespace ergon::reproduce {

// Times of a predictor on this machine.
struct PredictorLatency {
  Seconds load;     // load the A30's model
  Seconds prepare;  // prepare the 18 networks, which were built before
  Seconds predict;  // predict all of them at one clock
};

// Reads the rows of the measured tables in a folder, as training data by device.
using ReadTables = std::function<Result<predict::TrainingDataByDevice>(const std::string& folder)>;

struct ThesisOptions {
  std::optional<std::string> folder;  // of the measured tables; absent: the default folder
  bool require_tables = false;        // false: without the tables, some claims are not checked
  std::uint64_t folds = 15;
  ReadTables read_tables;
};

// Why claims about measured rows are not checked.
inline constexpr const char* kNoTables = "measured tables not found";

// The experiments of C. Nicolai's thesis that can be repeated. Its rows at six clocks are not public: the
// effect of clocks comes from predictors, and only rows at the default clocks come from its tables.
struct ThesisStudy {
  std::string folder;                        // of the tables; empty: not found
  std::optional<OperationStudy> operations;  // absent: no table, or built without XGBoost
  std::string no_operations;                 // why `operations` is absent
  std::string missing_data;                  // tables that are not there; empty: none
  std::vector<calibrate::ThesisNetwork> networks;
  ClockStudy clocks;
  PredictorLatency latency;
};

// Errors: tables that are required and not there, or cannot be read; interrupted.
Result<ThesisStudy> study_thesis(const ThesisOptions& options, const predict::Learner& learner,
                                 const Environment& environment);

}  // namespace ergon::reproduce
