#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "sweep/run.h"

namespace ergon::sweep {

// Runs as CSV. The columns are a stable format (docs/sweep.md): clocks in MHz, other quantities in SI units,
// unknown values empty, several reasons separated by ';'.
std::string run_header();
// Errors: internal for a value that could not be read back, for example a negative time.
Result<std::string> run_line(const RunRow& row);
// The run as it is read back: clocks are rounded to nine digits.
Run as_written(Run run);
// `source` names the text in errors. Errors: a missing column or a damaged line, by its number.
Result<std::vector<RunRow>> parse_runs(std::string_view text, std::string_view source);

}  // namespace ergon::sweep
