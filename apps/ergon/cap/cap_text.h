#pragma once

#include <string>

#include "report/cap_json.h"
#include "report/table_style.h"

namespace ergon::app {

// The first decisions and every change after them, then the summary, in 80 columns. `title` are the lines
// above.
std::string cap_text(const std::string& title, const report::CapReport& report, const report::TableStyle& style);

}  // namespace ergon::app
