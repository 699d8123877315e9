#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "table/table.h"

namespace ergon::table {

enum class RaggedRows {
  reject,  // a row with more or fewer fields than the header is an error
  pad,     // absent fields are missing values, fields beyond the header are dropped; both are counted
};

// A field separator: one character, or "tab".
Result<char> parse_separator(std::string_view text);

struct CsvOptions {
  char separator = ',';
  // Required types; a value that does not fit is an error. The types of other columns are inferred from all
  // their values.
  std::map<std::string, Type> types;
  bool types_must_exist = true;  // a type for a column that is not there is an error
  // Read only these columns, in this order; empty means all.
  std::vector<std::string> columns;
  // Column names, if the file has no header line.
  std::vector<std::string> names;
  // Texts that mean "missing" in non-text columns, besides the empty field.
  std::vector<std::string> missing_words = {"NA",   "N/A",  "NaN",   "nan",
                                            "null", "NULL", "[N/A]", "[Not Supported]"};
  RaggedRows ragged = RaggedRows::reject;
  bool rows_required = true;                      // a header with no rows below it is an error
  std::size_t threads = 0;                        // 0: as many as the machine has
  std::size_t piece_size = std::size_t{1} << 20;  // bytes of text that a thread takes at a time
  std::stop_token stop;
  // Called periodically on the calling thread with the bytes read so far and the total.
  std::function<void(std::size_t done, std::size_t total)> on_progress;
};

// Irregularities of the file that were accepted.
struct CsvNotes {
  std::size_t text_bytes = 0;
  std::size_t blank_lines = 0;     // skipped
  std::size_t padded_rows = 0;     // had fewer fields than the header
  std::size_t dropped_fields = 0;  // were beyond the header
};

struct CsvTable {
  Table table;
  CsvNotes notes;
};

// Reads RFC 4180 text: fields may be quoted, quotes inside are doubled, lines end in LF or CRLF, a byte order
// mark is skipped. An empty field is missing; "" is the empty text. Blank lines are skipped,
// except in a table of one column, where they are missing values. Errors name the file, the line and the
// column.
Result<CsvTable> read_csv(const std::filesystem::path& path, const CsvOptions& options = {});

// The same for text in memory; `source` names it in errors.
Result<CsvTable> parse_csv(std::string_view text, std::string_view source, const CsvOptions& options = {});

}  // namespace ergon::table
