#include "table/table.h"

#include <string>

#include <gtest/gtest.h>

namespace ergon::table {
namespace {

template <typename T>
using Optionals = std::vector<std::optional<T>>;
using Names = std::vector<std::string>;

Table sample() {
  Table table;
  table.add("n", Column::of(Optionals<std::int64_t>{1, 2, 3}));
  table.add("power", Column::of(Optionals<double>{0.5, std::nullopt, 2.5}));
  table.add("who", Column::of(Optionals<std::string>{"a", "b", "c"}));
  return table;
}

Names names_of(const Table& table) { return {table.names().begin(), table.names().end()}; }

TEST(Table, ANewOneIsEmpty) {
  const Table table;
  EXPECT_EQ(table.rows(), 0u);
  EXPECT_TRUE(table.names().empty());
  EXPECT_FALSE(table.has(""));
}

TEST(Table, ColumnsAreFoundByName) {
  const Table table = sample();
  EXPECT_EQ(table.rows(), 3u);
  EXPECT_TRUE(table.has("who"));
  const auto column = table.column("who");
  ASSERT_TRUE(column);
  EXPECT_EQ(*column, &table.columns()[2]);
}

TEST(Table, AMistypedNameGetsASuggestion) {
  const auto column = sample().column("powre");
  ASSERT_FALSE(column);
  EXPECT_EQ(column.error().kind, Errc::not_found);
  EXPECT_NE(column.error().message.find("\"powre\""), std::string::npos) << column.error().message;
  EXPECT_NE(column.error().message.find("\"power\""), std::string::npos) << column.error().message;
}

TEST(Table, NumberColumnsAreNumbers) {
  const Table table = sample();
  EXPECT_TRUE(table.number_column("n"));
  EXPECT_TRUE(table.number_column("power"));
  const auto text = table.number_column("who");
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().kind, Errc::invalid_input);
  EXPECT_NE(text.error().message.find("\"who\""), std::string::npos) << text.error().message;
  const auto absent = table.number_column("zzzzzz");
  ASSERT_FALSE(absent);
  EXPECT_EQ(absent.error().kind, Errc::not_found);
}

TEST(Table, SelectKeepsTheOrderAsked) {
  const auto chosen = sample().select(Names{"who", "n"});
  ASSERT_TRUE(chosen) << chosen.error().message;
  EXPECT_EQ(names_of(*chosen), (Names{"who", "n"}));
  EXPECT_EQ(chosen->columns()[1].int64s()[2], 3);
  EXPECT_FALSE(sample().select(Names{"who", "absent"}));
  EXPECT_FALSE(sample().select(Names{"who", "who"}));
}

TEST(Table, GatherTakesWholeRows) {
  const std::size_t rows[] = {2, kNoRow, 1};
  const Table gathered = sample().gather(rows);
  EXPECT_EQ(names_of(gathered), names_of(sample()));
  ASSERT_EQ(gathered.rows(), 3u);
  EXPECT_EQ(gathered.columns()[0].int64s()[0], 3);
  EXPECT_EQ(gathered.columns()[1].float64s()[0], 2.5);
  EXPECT_EQ(gathered.columns()[2].text_at(0), "c");
  for (const Column& column : gathered.columns()) EXPECT_TRUE(column.missing(1));
  EXPECT_TRUE(gathered.columns()[1].missing(2));
  EXPECT_EQ(gathered.columns()[2].text_at(2), "b");
}

TEST(Table, MemoryIsThatOfItsColumns) {
  const Table table = sample();
  Bytes sum;
  for (const Column& column : table.columns()) sum += column.memory();
  EXPECT_EQ(table.memory(), sum);
  EXPECT_GT(sum.si(), 0);
}

TEST(Table, ARepeatedNameOrAnotherLengthIsABrokenContract) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  Table table = sample();
  EXPECT_DEATH(table.add("n", Column::of(Optionals<std::int64_t>{1, 2, 3})), "contract");
  EXPECT_DEATH(table.add("m", Column::of(Optionals<std::int64_t>{1, 2})), "contract");
}

}  // namespace
}  // namespace ergon::table
