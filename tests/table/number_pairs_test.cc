#include "table/number_pairs.h"

#include <gtest/gtest.h>

#include "mentions.h"

namespace ergon::table {
namespace {

Table small_table() {
  Table table;
  table.add("x", Column::of(std::vector<std::optional<double>>{1, 10, std::nullopt, 100}));
  table.add("y", Column::of(std::vector<std::optional<double>>{5, std::nullopt, 6, 7}));
  table.add("name", Column::of(std::vector<std::optional<std::string>>{"a", "b", "c", "d"}));
  return table;
}

TEST(NumberPairs, DropRowsWithAMissingValue) {
  const auto pairs = number_pairs(small_table(), "x", "y", false);
  ASSERT_TRUE(pairs);
  EXPECT_EQ(pairs->x, (std::vector<double>{1, 100}));
  EXPECT_EQ(pairs->y, (std::vector<double>{5, 7}));
  EXPECT_EQ(pairs->dropped, 2u);
  EXPECT_EQ(number_pairs(small_table(), "x", "y", true)->x, (std::vector<double>{0, 2}));
}

TEST(NumberPairs, ReportInvalidColumns) {
  EXPECT_EQ(number_pairs(small_table(), "x", "z", false).error().kind, Errc::not_found);
  EXPECT_FALSE(number_pairs(small_table(), "name", "y", false));
  Table table;
  table.add("x", Column::of(std::vector<std::optional<double>>{1, 0}));
  table.add("y", Column::of(std::vector<std::optional<double>>{1, 2}));
  EXPECT_TRUE(number_pairs(table, "x", "y", false));
  EXPECT_TRUE(mentions(number_pairs(table, "x", "y", true).error(), "positive"));
}

}  // namespace
}  // namespace ergon::table
