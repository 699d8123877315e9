#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "report/table_style.h"
#include "sweep/evaluation/evaluation.h"

namespace ergon::report {

// A row per network, the four conclusions, notes, and the excluded runs.
std::string evaluation_text(const sweep::SweepEvaluation& evaluation, const TableStyle& style);

// Every point of every network.
std::string evaluation_points_text(const sweep::SweepEvaluation& evaluation, const TableStyle& style);

// Text plots of power and time over clock. Errors: no such network; several networks of that name.
Result<std::string> evaluation_plot(const sweep::SweepEvaluation& evaluation, std::string_view network);

}  // namespace ergon::report
