#pragma once

#include <cstddef>
#include <optional>

#include "table/column.h"

namespace ergon::table {

// Statistics of one column; absent where they do not apply, or where numbers are so large that they overflow.
struct ColumnFacts {
  std::size_t missing = 0;
  std::optional<std::size_t> distinct;  // of texts
  std::optional<std::size_t> min_row;   // row of the minimum, so that it can be shown exactly
  std::optional<std::size_t> max_row;
  std::optional<double> median, mean, standard_deviation;
  std::optional<double> coefficient_of_variation;
};

ColumnFacts describe(const Column& column);

}  // namespace ergon::table
