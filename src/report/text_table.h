#pragma once

#include <string>
#include <vector>

#include "report/table_style.h"

namespace ergon::report {

enum class Align { left, right };

// A text table: headings, aligned columns, two blanks between columns. A UTF-8 character has width 1.
//
// A table that is wider than its style allows is narrowed in three steps:
// 1. Columns of rank 1 and higher are dropped, the highest rank first and the rightmost of equal ranks first.
// 2. Long texts in left-aligned columns are wrapped between words.
// 3. Columns of rank 0 are dropped from the right, except the first column.
// A line below the table names the dropped columns.
class TextTable {
 public:
  struct Heading {
    std::string text;
    Align align = Align::left;
    int rank = 0;  // 0: essential; 1, 2, ...: dropped earlier
  };

  explicit TextTable(std::vector<Heading> headings);

  // Contract: as many cells as headings.
  void row(std::vector<std::string> cells);

  std::string text(const TableStyle& style) const;

 private:
  struct Column {
    std::size_t index;      // of the heading and of the cells
    std::size_t width;      // of the longest cell, less if cells are wrapped
    std::size_t min_width;  // with wrapped cells
  };

  std::vector<Column> all_columns() const;
  std::vector<Column> fitting_columns(const TableStyle& style) const;
  // A row or the headings, in as many lines as its wrapped cells need.
  std::string row_text(const std::vector<Column>& columns, const std::vector<std::string>& cells) const;
  // "(not shown: ...)", or "" if all columns are shown.
  std::string dropped_columns_text(const std::vector<Column>& shown, const TableStyle& style) const;

  std::vector<Heading> headings_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace ergon::report
