#pragma once

#include <cstdint>

#include "systolic/array/mapping.h"

namespace ergon::systolic {

// Number of output words per line of the array. Within a fold each used column emits one word per line, for
// the same number of lines, one line after the previous column: a trapezoid.
class OutputPattern {
 public:
  explicit OutputPattern(const Mapping& mapping);

  // Words emitted in lines before this one.
  std::int64_t before(std::int64_t line) const;
  std::int64_t in_line(std::int64_t line) const { return before(line + 1) - before(line); }
  // The line that emits word number `word`, counted from 0. Contract: word < total().
  std::int64_t line_of(std::int64_t word) const;

  std::int64_t total() const { return total_; }
  std::int64_t first_line() const { return line_of(0); }
  std::int64_t last_line() const { return line_of(total_ - 1); }

 private:
  struct Trapezoid {
    std::int64_t start, columns, length;
    std::int64_t before(std::int64_t line) const;
  };
  Trapezoid trapezoid(std::int64_t row_fold, std::int64_t column_fold) const;
  std::int64_t before_fold(std::int64_t row_fold, std::int64_t column_fold) const;

  Mapping mapping_;
  std::int64_t words_per_column_;  // words of all row folds in one column of the array
  std::int64_t total_;
};

}  // namespace ergon::systolic
