#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ergon::profile {

// CSV in which a row is a line, so that a file that grows can be cut at any byte and is whole again up to its
// last line end.

// Adds a field, quoted where it has to be. Line breaks become blanks.
void append_field(std::string& line, std::string_view text);

// The text up to its last line end: what is behind that was being written.
std::string_view whole_lines(std::string_view text);

// Walks such a text line by line. Quotes inside a line are those of RFC 4180, lines may end in CRLF, empty
// ones and a byte order mark are skipped, and so are columns that nobody wants.
class CsvLines {
 public:
  struct Column {
    std::string_view name;
    bool required = true;
  };
  // Reads the header. The views must outlive the object; `source` names the text in errors. A text without a
  // header has no rows. Errors: a required column that is not there, a wanted one that is there twice.
  static Result<CsvLines> open(std::string_view text, std::string_view source,
                               std::span<const Column> columns);

  // Goes to the next row; false at the end. Errors: broken quotes, more or fewer fields than the header.
  Result<bool> next();

  // The field of the wanted column with that index, until next() is called; nothing if there is no such
  // column.
  std::optional<std::string_view> field(std::size_t column) const;

  // "operations.csv:7: batch wants a whole number above 0, not \"x\"".
  Error unreadable(std::size_t column, std::string_view wanted) const;
  // Something about the line itself.
  Error damaged(std::string_view what) const;

  // Where the next line begins in the text.
  std::size_t position() const { return position_; }

 private:
  CsvLines(std::string_view text, std::string_view source, std::span<const Column> columns)
      : text_(text), source_(source), columns_(columns) {}

  bool next_line();
  Result<> split_line();
  Result<> read_header();

  std::string_view text_, source_;
  std::span<const Column> columns_;
  std::vector<std::optional<std::size_t>> places_;  // of each wanted column among the fields
  std::size_t width_ = 0;                           // fields of the header
  std::size_t position_ = 0;
  std::size_t line_number_ = 0;
  std::string_view line_;
  std::vector<std::string> fields_;
  std::size_t fields_used_ = 0;
};

}  // namespace ergon::profile
