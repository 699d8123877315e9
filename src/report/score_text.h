#pragma once

#include <string>
#include <vector>

#include "predict/model/model.h"
#include "report/table_style.h"

namespace ergon::report {

// A row per score: rows, MAPE, and R2 and coverage if present.
std::string score_text(const std::vector<predict::Score>& scores, const TableStyle& style);

}  // namespace ergon::report
