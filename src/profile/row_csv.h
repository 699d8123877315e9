#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "profile/row.h"

namespace ergon::profile {

// Rows as lines of CSV: what operations.csv and networks.csv consist of. Names of columns carry their units,
// docs/profile.md lists them. An absent value is an empty field. Times are rounded to nine significant
// digits, all other numbers read back exactly; line breaks in texts become blanks.

// The first line, with its line end.
std::string row_header(Subject::What what);

// A row as one line, with its line end. Errors, with the column: a value that would not be read back, such as
// one that is not finite.
Result<std::string> row_line(const Row& row);

// All rows of a text with a header. Columns that are not known are ignored, those of absent values may be
// missing. Errors name the source, the line and the column.
Result<std::vector<Row>> parse_rows(std::string_view text, std::string_view source, Subject::What what);

}  // namespace ergon::profile
