#pragma once

#include <span>
#include <string>
#include <string_view>

#include "profile/row.h"

namespace ergon::profile {

// One column of operations.csv or networks.csv: how a row's value becomes text and comes back.
struct RowColumn {
  std::string_view name;
  bool required = true;    // the others may be missing from a file
  std::string_view wants;  // what a readable value is, for errors
  std::string (*text)(const Row& row);
  bool (*read)(std::string_view text, Row& row);  // false: not readable
};

// In the order of the file.
std::span<const RowColumn> row_columns(Subject::What what);

}  // namespace ergon::profile
