#pragma once

#include <string>
#include <vector>

#include "predict/model.h"
#include "report/table_style.h"

namespace ergon::app {

// A line per score: what, rows, mean error, R2 and coverage where they are known.
std::string score_text(const std::vector<predict::Score>& scores, const report::TableStyle& style);

}  // namespace ergon::app
