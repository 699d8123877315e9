#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "report/table_style.h"
#include "sweep/evaluation/evaluation.h"

namespace ergon::app {

// A line per network, the four answers, and what was left out.
std::string evaluation_text(const sweep::Evaluation& evaluation, const report::TableStyle& style);

// The four questions and their answers alone, each after an empty line.
std::string answers_text(const sweep::Evaluation& evaluation);

// Every point of every network.
std::string evaluation_points_text(const sweep::Evaluation& evaluation, const report::TableStyle& style);

// Power and time of one network over clock, drawn in letters. Errors: no such network, or several of that
// name.
Result<std::string> evaluation_plot(const sweep::Evaluation& evaluation, std::string_view network);

}  // namespace ergon::app
