#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "calibrate/thesis_tables.h"
#include "reproduce/thesis_clocks.h"
#include "reproduce/thesis_operations.h"
#include "shell.h"

namespace ergon::app {

// Times of a predictor on this machine.
struct PredictorLatency {
  Seconds load;     // load the A30's model
  Seconds prepare;  // prepare the 18 networks, which were built before
  Seconds predict;  // predict all of them at one clock
};

struct ThesisOptions {
  std::optional<std::string> folder;  // of the measured tables; absent: the default folder
  std::uint64_t folds = 15;
};

// The experiments of C. Nicolai's thesis that can be repeated. Its rows at six clocks are not public: the
// effect of clocks comes from predictors, and only rows at the default clocks come from its tables.
struct ThesisStudy {
  std::string folder;                        // of the tables; empty: not found
  std::optional<OperationStudy> operations;  // absent: no table, or built without XGBoost
  std::string no_operations;                 // why `operations` is absent
  std::vector<calibrate::ThesisNetwork> networks;
  ClockStudy clocks;
  PredictorLatency latency;
};

// Errors: options.folder has no tables; tables that cannot be read; interrupted.
Result<ThesisStudy> study_thesis(const ThesisOptions& options, Shell& shell);

}  // namespace ergon::app
