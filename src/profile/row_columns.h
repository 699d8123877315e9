#pragma once

#include <span>
#include <string>
#include <string_view>

#include "profile/row.h"

namespace ergon::profile {

// One column of operations.csv or networks.csv, with conversion to and from text.
struct RowColumn {
  std::string_view name;
  bool required = true;       // false: the column may be missing from a file
  std::string_view expected;  // description of valid values, for errors
  std::string (*text)(const Row& row);
  bool (*read)(std::string_view text, Row& row);  // false: invalid
  std::string_view former_name = {};              // of older versions; still read, no longer written
};

// In file order.
std::span<const RowColumn> row_columns(Subject::Kind kind);

}  // namespace ergon::profile
