#pragma once

#include <string>

#include "sweep/evaluation/evaluation.h"

namespace ergon::report {

// The four questions of a sweep with their conclusions, each after an empty line.
std::string conclusions_text(const sweep::SweepEvaluation& evaluation);

}  // namespace ergon::report
