#pragma once

#include <string>

#include "report/cap_json.h"
#include "report/table_style.h"

namespace ergon::app {

// Table of the first decisions and all later changes, then the summary, in 80 columns. `title` is printed
// first.
std::string cap_text(const std::string& title, const report::CapReport& report,
                     const report::TableStyle& style);

}  // namespace ergon::app
