#pragma once

#include <cstdint>

#include "systolic/mapping.h"

namespace ergon::systolic {

// Which line of the array lets out how many output words. Within a fold the used columns let out one word a
// line each, for equally many lines, every column one line after its neighbour: a trapezoid.
class OutputPattern {
 public:
  explicit OutputPattern(const Mapping& mapping);

  // Words let out in lines before this one.
  std::int64_t before(std::int64_t line) const;
  std::int64_t in_line(std::int64_t line) const { return before(line + 1) - before(line); }
  // The line that lets out word number `word`, counted from 0. Contract: word < total().
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
  std::int64_t words_per_column_;  // of all row folds, for one column of the array
  std::int64_t total_;
};

}  // namespace ergon::systolic
