#pragma once

#include <string>
#include <vector>

#include "report/table_style.h"

namespace ergon::report {

enum class Align { left, right };

// A table for people: a heading, aligned columns, two blanks between them. UTF-8 letters count as one column
// each.
//
// A table that is wider than its style allows drops columns, those with the highest `rank` first and the
// rightmost of several; the first column always stays. A line below the table names what was dropped.
class TextTable {
 public:
  struct Heading {
    std::string text;
    Align align = Align::left;
    int rank = 0;  // 0: essential, dropped last; 1, 2, ...: dropped earlier
  };

  explicit TextTable(std::vector<Heading> headings);

  // Contract: as many cells as headings.
  void row(std::vector<std::string> cells);

  std::string text(const TableStyle& style) const;

 private:
  // The columns that are drawn, from left to right.
  std::vector<std::size_t> fitting_columns(const std::vector<std::size_t>& widths, const TableStyle& style) const;

  std::vector<Heading> headings_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace ergon::report
