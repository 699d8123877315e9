#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "table/csv/read.h"

namespace ergon::table::csv {

// The names of the columns and where the rows begin.
struct Header {
  std::vector<std::string> names;
  std::size_t body = 0;  // offset of the first row
};

// Reads the header line. Fails for files that are not text.
Result<Header> read_header(std::string_view text, const CsvOptions& options);

// The columns to read, as indices into the header: the requested ones, or all.
Result<std::vector<std::size_t>> chosen_columns(const Header& header, const CsvOptions& options);

}  // namespace ergon::table::csv
