#pragma once

#include "base/result.h"
#include "reproduce/environment.h"
#include "reproduce/reproduction.h"
#include "reproduce/thesis/study.h"

namespace ergon::reproduce {

// C. Nicolai's thesis: its measured tables, and the bundled predictors. Errors: those of study_thesis().
Result<Reproduction> reproduce_thesis(const ThesisOptions& options, const predict::Learner& learner,
                                      const Environment& environment);

}  // namespace ergon::reproduce
