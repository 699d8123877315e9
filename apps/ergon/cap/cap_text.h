#pragma once

#include <string>

#include "report/cap_json.h"

namespace ergon::app {

// The first decisions and every change after them, then the summary, in 80 columns. `title` are the lines
// above.
std::string cap_text(const std::string& title, const report::CapReport& report, bool colour);

}  // namespace ergon::app
