#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/units.h"
#include "table/table.h"

namespace ergon::table {

enum class AsofDirection {
  backward,  // the last row of the right table at or before the left one
  forward,   // the first at or after it
  nearest,   // whichever of the two is nearer; the backward one if they are equally far
};

struct AsofOptions {
  std::string left_on;  // the ordered columns: both timestamp, or both numbers
  std::string right_on;
  std::string left_name = "left table";  // what errors call the tables
  std::string right_name = "right table";
  std::vector<std::pair<std::string, std::string>> by;  // left and right columns that must be equal
  AsofDirection direction = AsofDirection::backward;
  std::optional<Seconds> time_tolerance;   // at most this far apart, for timestamps
  std::optional<double> number_tolerance;  // the same for numbers, in their own unit
};

// For every left row the right row it matches, or kNoRow. Of several right rows at the same place, backward
// takes the last of the table and forward the first. Rows whose key is missing match nothing.
struct AsofMatch {
  std::vector<std::size_t> right_row;
  std::size_t unmatched = 0;
};
Result<AsofMatch> asof_match(const Table& left, const Table& right, const AsofOptions& options);

// The left table with the matched right columns beside it. Right columns whose name the left table has
// already get
// "_right" appended. The right key is kept, so that the distance can be seen; `by` columns of the same name
// are not repeated.
struct AsofJoined {
  Table table;
  std::size_t unmatched = 0;
};
Result<AsofJoined> asof_join(const Table& left, const Table& right, const AsofOptions& options);

}  // namespace ergon::table
