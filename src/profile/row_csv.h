#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "profile/row.h"

namespace ergon::profile {

// Reads and writes operations.csv and networks.csv. Column names include their units; docs/profile.md lists
// them. An absent value is an empty field. Measured values are rounded to nine significant digits; all other
// numbers are exact. Line breaks in texts become spaces.

// The header line, with its line end.
std::string row_header(Subject::Kind kind);

// A row as one line, with its line end. Errors, with the column: a value that could not be read back, for
// example one that is not finite.
Result<std::string> row_line(const Row& row);

// All rows of a text with a header. Unknown columns are ignored; optional columns may be missing. Errors name
// the source, the line and the column.
Result<std::vector<Row>> parse_rows(std::string_view text, std::string_view source, Subject::Kind kind);

}  // namespace ergon::profile
