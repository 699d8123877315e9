#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "report/table_style.h"
#include "reproduce/arada_study.h"

namespace ergon::app {

// The paper's tables and figures, and what lies beyond them, for people and for programs.
std::string arada_tables_text(const AradaStudy& study, const report::TableStyle& style);
nlohmann::ordered_json arada_tables_json(const AradaStudy& study);

}  // namespace ergon::app
