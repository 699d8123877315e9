#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/result.h"
#include "table/table.h"

namespace ergon::table {

// The rows in which two numeric columns have a value.
struct NumberPairs {
  std::vector<double> x;  // decimal logarithms if requested
  std::vector<double> y;
  std::size_t dropped = 0;  // rows with a missing value
};

// Errors: a column that does not exist or is not numeric; with `log_x`, a value of x that is not positive.
Result<NumberPairs> number_pairs(const Table& table, const std::string& x, const std::string& y, bool log_x);

}  // namespace ergon::table
