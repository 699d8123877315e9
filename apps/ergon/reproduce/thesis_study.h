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

// How long a predictor takes on this machine.
struct PredictorLatency {
  Seconds load;     // the A30's model
  Seconds prepare;  // the 18 networks, built before
  Seconds ask;      // them about time and energy at one clock
};

struct ThesisOptions {
  std::optional<std::string> folder;  // with the measured tables; nothing: where they usually are
  std::uint64_t folds = 15;
};

// The experiments of C. Nicolai's thesis that can be done again. Its rows at six clocks are not public: what
// clocks do comes from predictors, and only what was measured at the GPUs' own clocks from its tables.
struct ThesisStudy {
  std::string folder;                        // of the tables; empty: not here
  std::optional<OperationStudy> operations;  // nothing: no table, or this program cannot learn
  std::string no_operations;                 // why
  std::vector<calibrate::ThesisNetwork> networks;
  ClockStudy clocks;
  PredictorLatency latency;
};

// Errors: a folder that was asked for and has no tables; tables that cannot be read; interrupted.
Result<ThesisStudy> study_thesis(const ThesisOptions& options, Shell& shell);

}  // namespace ergon::app
