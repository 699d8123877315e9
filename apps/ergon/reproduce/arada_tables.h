#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "report/table_style.h"
#include "reproduce/arada_study.h"

namespace ergon::app {

// The paper's tables and figures, and the savings of optimal schedules, as text and as JSON.
std::string arada_tables_text(const AradaStudy& study, const report::TableStyle& style);
nlohmann::ordered_json arada_tables_json(const AradaStudy& study);

}  // namespace ergon::app
