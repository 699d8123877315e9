#pragma once

#include <string>

#include "report/cap_json.h"
#include "report/table_style.h"

namespace ergon::report {

// Table of the first decisions and all later changes, then the summary, in 80 columns. `title` is printed
// first.
std::string cap_text(const std::string& title, const CapReport& report, const TableStyle& style);

// A decision in one line: "12.3 s: 243 W of 250 W, batch 37, 1410 MHz, 1234 samples/s".
std::string decision_text(const control::Decision& decision);

}  // namespace ergon::report
