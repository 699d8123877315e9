#pragma once

#include <string>
#include <vector>

namespace ergon::report {

enum class Align { left, right };

// A table for people: a heading, aligned columns, two blanks between them. UTF-8 letters count as one column
// each.
class TextTable {
 public:
  struct Heading {
    std::string text;
    Align align = Align::left;
  };

  explicit TextTable(std::vector<Heading> headings);

  // Contract: as many cells as headings.
  void row(std::vector<std::string> cells);

  // With `bold`, the heading is set off by terminal escapes; otherwise by a line of dashes.
  std::string text(bool bold) const;

 private:
  std::vector<Heading> headings_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace ergon::report
