#pragma once

#include <string>
#include <vector>

#include "predict/model.h"

namespace ergon::app {

// A line per score: what, rows, mean error, R2 and coverage where they are known.
std::string score_text(const std::vector<predict::Score>& scores, bool colour);

}  // namespace ergon::app
