#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/units.h"
#include "table/table.h"

namespace ergon::table {

enum class AsofDirection {
  backward,  // the last row of the right table at or before the left one
  forward,   // the first at or after it
  nearest,   // the nearer of the two; the backward one if the distances are equal
};

inline constexpr AsofDirection kAsofDirections[] = {AsofDirection::backward, AsofDirection::forward,
                                                    AsofDirection::nearest};
std::string_view name_of(AsofDirection direction);

// "time" names a column of both tables, "time=when" a column of each.
std::pair<std::string, std::string> parse_column_pair(std::string_view text);

struct AsofOptions {
  std::string left_on;  // the ordered columns: both timestamp, or both numbers
  std::string right_on;
  std::string left_name = "left table";  // names of the tables in errors
  std::string right_name = "right table";
  std::vector<std::pair<std::string, std::string>> by;  // left and right columns that must be equal
  AsofDirection direction = AsofDirection::backward;
  std::optional<Seconds> time_tolerance;   // at most this far apart, for timestamps
  std::optional<double> number_tolerance;  // the same for numbers, in their own unit
};

// For every left row the matching right row, or kNoRow. Among right rows with equal keys, backward takes the
// last of the table and forward the first. Rows with a missing key match nothing.
struct AsofMatch {
  std::vector<std::size_t> right_row;
  std::size_t unmatched = 0;
};
Result<AsofMatch> asof_match(const Table& left, const Table& right, const AsofOptions& options);

// The left table with the matching right columns appended. A right column whose name exists in the left table
// gets the suffix "_right". The right key is kept, so that the distance is visible; `by` columns of the same
// name are not repeated.
struct AsofJoined {
  Table table;
  std::size_t unmatched = 0;
};
Result<AsofJoined> asof_join(const Table& left, const Table& right, const AsofOptions& options);

}  // namespace ergon::table
