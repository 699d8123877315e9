#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "sweep/run.h"

namespace ergon::sweep {

// Runs as lines of CSV. The columns are a contract (docs/sweep.md): clocks in MHz, everything else in SI
// units, what is unknown empty, several reasons separated by ';'.
std::string run_header();
// Errors: invalid_input for a value that would not be read back.
Result<std::string> run_line(const RunRow& row);
// The run as it will be when it is read back: clocks are kept to nine digits.
Run as_written(Run run);
// `source` names the text in errors. Errors: a missing column or a damaged line, by its number.
Result<std::vector<RunRow>> parse_runs(std::string_view text, std::string_view source);

}  // namespace ergon::sweep
