#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "table/table.h"

namespace ergon::table {

using GroupId = std::uint32_t;
inline constexpr GroupId kNoGroup = UINT32_MAX;

// Which group each row belongs to. Rows are in one group when all their key columns are equal.
struct Grouping {
  std::vector<GroupId> group_of_row;
  std::vector<std::size_t> first_row;  // of each group; groups are numbered by it
};

// Groups rows by the named columns (none: everything is one group). A missing key is a key of its own.
Result<Grouping> group_rows(const Table& table, std::span<const std::string> keys);

// The same group ids for the rows of two tables, keys[i] of the left compared with keys[i] of the right.
// Texts are compared as texts, numbers as numbers. A row with a missing key is in no group (kNoGroup).
struct SharedGroups {
  std::vector<GroupId> left;
  std::vector<GroupId> right;
  std::size_t count = 0;
};
Result<SharedGroups> group_rows_alike(const Table& left, std::span<const std::string> left_keys,
                                      const Table& right, std::span<const std::string> right_keys);

}  // namespace ergon::table
