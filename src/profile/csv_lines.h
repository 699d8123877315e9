#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ergon::profile {

// CSV with exactly one line per row, so that a file that was truncated at any byte is valid up to its last
// line end.

// Appends a field, quoted if necessary. Line breaks become spaces.
void append_field(std::string& line, std::string_view text);

// The text up to its last line end, without an incomplete last line.
std::string_view whole_lines(std::string_view text);

// Reads such a text line by line. Quoting follows RFC 4180; lines may end in CRLF. Empty lines, a byte order
// mark and columns that were not requested are skipped.
class CsvLines {
 public:
  struct Column {
    std::string_view name;
    bool required = true;
    std::string_view former_name = {};  // accepted in files of older versions
  };
  // Reads the header. The views must outlive the object; `source` names the text in errors. A text without a
  // header has no rows. Errors: a required column is missing; a requested column appears twice.
  static Result<CsvLines> open(std::string_view text, std::string_view source,
                               std::span<const Column> columns);

  // Moves to the next row; false at the end. Errors: invalid quoting; a number of fields other than the
  // header's.
  Result<bool> next();

  // The field of the requested column with that index, valid until next(); empty if the text lacks the
  // column.
  std::optional<std::string_view> field(std::size_t column) const;

  // "operations.csv:7: batch: expected a whole number above 0, not \"x\"".
  Error unreadable(std::size_t column, std::string_view expected) const;
  // An error in the line itself.
  Error damaged(std::string_view what) const;

  // Start of the next line in the text.
  std::size_t position() const { return position_; }

 private:
  CsvLines(std::string_view text, std::string_view source, std::span<const Column> columns)
      : text_(text), source_(source), columns_(columns) {}

  bool next_line();
  Result<> split_line();
  Result<> read_header();

  std::string_view text_, source_;
  std::span<const Column> columns_;
  std::vector<std::optional<std::size_t>> indices_;  // of each requested column among the fields
  std::size_t width_ = 0;                            // fields of the header
  std::size_t position_ = 0;
  std::size_t line_number_ = 0;
  std::string_view line_;
  std::vector<std::string> fields_;
  std::size_t fields_used_ = 0;
};

}  // namespace ergon::profile
