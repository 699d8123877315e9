#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "table/table.h"

// Groups by the texts of the keys and lists the rows of each; aggregates are checked against the lists.

namespace ergon::test {

// The rows of every group in table order, groups in the order of their first row. Missing keys form a group.
inline std::vector<std::vector<std::size_t>> naive_groups(const table::Table& table,
                                                          const std::vector<std::string>& keys) {
  std::map<std::vector<std::string>, std::vector<std::size_t>> by_key;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    std::vector<std::string> key;
    for (const std::string& name : keys) {
      const table::Column& column = **table.column(name);
      const std::string cell = column.cell(row);
      // -0 is 0, and the missing value is not the empty text.
      key.push_back(column.missing(row) ? "missing" : column.numeric() && cell == "-0" ? "=0" : "=" + cell);
    }
    by_key[key].push_back(row);
  }
  std::vector<std::vector<std::size_t>> groups;
  for (const auto& [key, rows] : by_key) groups.push_back(rows);
  std::sort(groups.begin(), groups.end());  // no two begin with the same row
  return groups;
}

inline std::vector<std::size_t> rows_with_a_value(const table::Column& column,
                                                  const std::vector<std::size_t>& rows) {
  std::vector<std::size_t> present;
  for (const std::size_t row : rows) {
    if (!column.missing(row)) present.push_back(row);
  }
  return present;
}

}  // namespace ergon::test
