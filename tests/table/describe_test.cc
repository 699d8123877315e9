#include "table/describe.h"

#include <cmath>

#include <gtest/gtest.h>

namespace ergon::table {
namespace {

TEST(Describe, Numbers) {
  const auto column = Column::of(std::vector<std::optional<double>>{3, std::nullopt, 1, 8});
  const ColumnFacts facts = describe(column);
  EXPECT_EQ(facts.missing, 1u);
  EXPECT_EQ(facts.min_row, 2u);
  EXPECT_EQ(facts.max_row, 3u);
  EXPECT_EQ(facts.median, 3);
  EXPECT_EQ(facts.mean, 4);
  EXPECT_DOUBLE_EQ(*facts.standard_deviation, std::sqrt(13.0));
  EXPECT_DOUBLE_EQ(*facts.coefficient_of_variation, std::sqrt(13.0) / 4);
  EXPECT_FALSE(facts.distinct);
}

TEST(Describe, TextsHaveNoRange) {
  const auto column = Column::of(std::vector<std::optional<std::string>>{"a", "b", "a", std::nullopt});
  const ColumnFacts facts = describe(column);
  EXPECT_EQ(facts.missing, 1u);
  EXPECT_EQ(facts.distinct, 2u);
  EXPECT_FALSE(facts.min_row || facts.mean);
}

TEST(Describe, AnOverflowingStatisticIsAbsent) {
  const auto column = Column::of(std::vector<std::optional<double>>{1e308, -1e308, 1e308});
  const ColumnFacts facts = describe(column);
  EXPECT_FALSE(facts.standard_deviation);
  EXPECT_EQ(facts.median, 1e308);
  EXPECT_EQ(facts.min_row, 1u);
}

TEST(Describe, NothingOfNothing) {
  const ColumnFacts facts = describe(Column::of(std::vector<std::optional<double>>{std::nullopt}));
  EXPECT_EQ(facts.missing, 1u);
  EXPECT_FALSE(facts.min_row || facts.mean || facts.median);
}

}  // namespace
}  // namespace ergon::table
