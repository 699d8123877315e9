#include "table/group_by.h"

#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "table/mentions.h"

namespace ergon::table {
namespace {

template <typename T>
using Optionals = std::vector<std::optional<T>>;
using Names = std::vector<std::string>;

Table readings() {
  Table table;
  table.add("node", Column::of(Optionals<std::string>{"b", "a", "b", std::nullopt, "a"}));
  table.add("watts", Column::of(Optionals<double>{1.5, 4.0, 2.5, 8.0, std::nullopt}));
  table.add("count", Column::of(Optionals<std::int64_t>{1, 2, 3, 4, 5}));
  return table;
}

Table grouped(const Table& table, const Names& keys, const std::vector<Aggregation>& wanted) {
  auto result = group_by(table, keys, wanted);
  if (result) return std::move(*result);
  ADD_FAILURE() << result.error().message;
  return {};
}

Error failure(const Table& table, const Names& keys, const std::vector<Aggregation>& wanted) {
  const auto result = group_by(table, keys, wanted);
  if (!result) return result.error();
  ADD_FAILURE() << "no error";
  return {Errc::io, ""};
}

Result<Table> whole_sum(const Optionals<std::int64_t>& values) {
  Table table;
  table.add("n", Column::of(values));
  const Aggregation wanted[] = {{Aggregate::sum, "n", "sum"}};
  return group_by(table, {}, wanted);
}

TEST(GroupBy, GroupsComeInOrderOfFirstAppearanceAndMissingIsAGroup) {
  const Table result = grouped(readings(), {"node"}, {{Aggregate::count, "", "rows"}});
  ASSERT_EQ(result.rows(), 3u);
  EXPECT_EQ(result.columns()[0].text_at(0), "b");
  EXPECT_EQ(result.columns()[0].text_at(1), "a");
  EXPECT_TRUE(result.columns()[0].missing(2));
  EXPECT_EQ(result.columns()[1].int64s()[0], 2);
  EXPECT_EQ(result.columns()[1].int64s()[1], 2);
  EXPECT_EQ(result.columns()[1].int64s()[2], 1);
}

TEST(GroupBy, CountOfAColumnLeavesMissingValuesOut) {
  const Table result = grouped(readings(), {"node"}, {{Aggregate::count, "watts", "values"}});
  EXPECT_EQ(result.columns()[1].int64s()[1], 1);
}

TEST(GroupBy, EveryAggregateOfOneGroup) {
  Table table;
  table.add("x", Column::of(Optionals<double>{4.0, std::nullopt, 1.0, 1.0, 10.0}));
  const Table result = grouped(table, {},
                               {{Aggregate::count, "x", "count"},
                                {Aggregate::sum, "x", "sum"},
                                {Aggregate::mean, "x", "mean"},
                                {Aggregate::min, "x", "min"},
                                {Aggregate::max, "x", "max"},
                                {Aggregate::deviation, "x", "deviation"},
                                {Aggregate::median, "x", "median"},
                                {Aggregate::first, "x", "first"},
                                {Aggregate::last, "x", "last"},
                                {Aggregate::distinct, "x", "distinct"}});
  ASSERT_EQ(result.rows(), 1u);
  const auto at = [&](const char* name) { return (*result.column(name))->number_at(0); };
  EXPECT_EQ(at("count"), 4);
  EXPECT_EQ(at("sum"), 16);
  EXPECT_EQ(at("mean"), 4);
  EXPECT_EQ(at("min"), 1);
  EXPECT_EQ(at("max"), 10);
  EXPECT_NEAR(at("deviation"), 4.242640687119285, 1e-12);  // sqrt((0 + 9 + 9 + 36) / 3)
  EXPECT_EQ(at("median"), 2.5);
  EXPECT_EQ(at("first"), 4);
  EXPECT_EQ(at("last"), 10);
  EXPECT_EQ(at("distinct"), 3);
}

// Sums beyond the range of numbers have a mean all the same.
TEST(GroupBy, MeanOfLargeNumbers) {
  Table table;
  table.add("x", Column::of(Optionals<double>{1.5e308, 1e308, 0.5e308}));
  const Table result = grouped(table, {}, {{Aggregate::mean, "x", "mean"}});
  EXPECT_NEAR((*result.column("mean"))->number_at(0) / 1e308, 1, 1e-12);
}

TEST(GroupBy, AnAggregateOfNothingIsMissing) {
  Table table;
  table.add("x", Column::of(Optionals<double>{std::nullopt}));
  for (const Aggregate what : {Aggregate::sum, Aggregate::mean, Aggregate::min, Aggregate::max,
                               Aggregate::deviation, Aggregate::median, Aggregate::first, Aggregate::last}) {
    const Table result = grouped(table, {}, {{what, "x", "y"}});
    ASSERT_EQ(result.rows(), 1u);
    EXPECT_TRUE(result.columns()[0].missing(0)) << name_of(what);
  }
  EXPECT_EQ(grouped(table, {}, {{Aggregate::count, "x", "y"}}).columns()[0].int64s()[0], 0);
  EXPECT_EQ(grouped(table, {}, {{Aggregate::distinct, "x", "y"}}).columns()[0].int64s()[0], 0);
}

TEST(GroupBy, ATableWithoutRowsHasNoGroups) {
  Table table;
  table.add("n", Column::of(Optionals<std::int64_t>{}));
  EXPECT_EQ(grouped(table, {"n"}, {{Aggregate::count, "", "rows"}}).rows(), 0u);
  EXPECT_EQ(grouped(table, {}, {{Aggregate::count, "", "rows"}}).rows(), 0u);
}

TEST(GroupBy, KeysOfSeveralColumnsAreCombined) {
  Table table;
  table.add("a", Column::of(Optionals<std::string>{"x", "xy", "x", ""}));
  table.add("b", Column::of(Optionals<std::string>{"yz", "z", "yz", std::nullopt}));
  const Table result = grouped(table, {"b", "a"}, {{Aggregate::count, "", "rows"}});
  ASSERT_EQ(result.rows(), 3u);
  EXPECT_EQ(result.columns()[2].int64s()[0], 2);
}

TEST(GroupBy, ASumOfWholeNumbersIsWhole) {
  const auto sum = whole_sum({INT64_MAX - 1, 1});
  ASSERT_TRUE(sum) << sum.error().message;
  EXPECT_EQ(sum->columns()[0].int64s()[0], INT64_MAX);
}

TEST(GroupBy, ASumThatDoesNotFitIsAnErrorThatNamesTheColumn) {
  for (const auto& values : {Optionals<std::int64_t>{INT64_MAX, 1}, Optionals<std::int64_t>{INT64_MIN, -1}}) {
    const auto sum = whole_sum(values);
    ASSERT_FALSE(sum);
    EXPECT_EQ(sum.error().kind, Errc::invalid_input);
    EXPECT_TRUE(mentions(sum.error(), "\"n\"")) << sum.error().message;
  }
}

TEST(GroupBy, ASumThatFitsSucceedsInAnyOrder) {
  const auto sum = whole_sum({INT64_MAX, 1, -1});
  ASSERT_TRUE(sum) << sum.error().message;
  EXPECT_EQ(sum->columns()[0].int64s()[0], INT64_MAX);
}

TEST(GroupBy, ASumOfFractionsKeepsSmallTerms) {
  Table table;
  table.add("x", Column::of(Optionals<double>{1e16, 1.0, -1e16}));
  EXPECT_EQ(grouped(table, {}, {{Aggregate::sum, "x", "y"}}).columns()[0].float64s()[0], 1.0);
}

TEST(GroupBy, ASumOfFractionsBeyondAllNumbersIsAnError) {
  Table table;
  table.add("x", Column::of(Optionals<double>{1e308, 1e308}));
  const std::vector<Aggregation> sum{{Aggregate::sum, "x", "y"}};
  const auto result = group_by(table, {}, sum);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, Errc::invalid_input);
  EXPECT_TRUE(mentions(result.error(), "\"x\"")) << result.error().message;
}

TEST(GroupBy, TextsAndTimesHaveAFirstAndAnExtreme) {
  Table table;
  table.add("s", Column::of(Optionals<std::string>{"b", "a", "c"}));
  table.add("t", Column::of(Optionals<Timestamp>{Timestamp{2}, Timestamp{3}, Timestamp{1}}));
  const Table result = grouped(table, {}, {{Aggregate::min, "s", "s"}, {Aggregate::max, "t", "t"}});
  EXPECT_EQ(result.columns()[0].text_at(0), "a");
  EXPECT_EQ(result.columns()[1].timestamps()[0].ns, 3);
}

TEST(GroupBy, SumsNeedNumericColumns) {
  for (const Aggregate what : {Aggregate::sum, Aggregate::mean, Aggregate::deviation, Aggregate::median}) {
    const Error error = failure(readings(), {}, {{what, "node", "y"}});
    EXPECT_EQ(error.kind, Errc::invalid_input);
    EXPECT_TRUE(mentions(error, "\"node\"")) << error.message;
    const Error bare = failure(readings(), {}, {{what, "", "y"}});
    EXPECT_TRUE(mentions(bare, name_of(what)) && mentions(bare, "column")) << bare.message;
  }
}

TEST(GroupBy, UnknownAndRepeatedColumnsAreRejected) {
  EXPECT_EQ(failure(readings(), {"nod"}, {}).kind, Errc::not_found);
  EXPECT_TRUE(mentions(failure(readings(), {"nod"}, {}), "\"node\""));
  EXPECT_EQ(failure(readings(), {"node"}, {{Aggregate::sum, "wats", "y"}}).kind, Errc::not_found);
  EXPECT_TRUE(mentions(failure(readings(), {"node", "node"}, {}), "\"node\""));
  EXPECT_TRUE(mentions(failure(readings(), {"node"}, {{Aggregate::sum, "watts", "node"}}), "\"node\""));
}

TEST(GroupBy, AggregatesAreKnownByTheirNames) {
  const auto names = aggregate_names();
  EXPECT_EQ(names.size(), 10u);
  for (const std::string& name : names) {
    const auto aggregate = aggregate_named(name);
    ASSERT_TRUE(aggregate) << name;
    EXPECT_EQ(name_of(*aggregate), name);
  }
  EXPECT_EQ(aggregate_named("deviation"), Aggregate::deviation);
  EXPECT_EQ(aggregate_named("Sum"), std::nullopt);
}

TEST(GroupBy, AggregationsAreParsed) {
  const auto mean = parse_aggregation("mean:power");
  ASSERT_TRUE(mean);
  EXPECT_EQ(mean->what, Aggregate::mean);
  EXPECT_EQ(mean->column, "power");
  EXPECT_EQ(mean->name, "power_mean");
  EXPECT_EQ(parse_aggregation("count")->name, "count");
  EXPECT_EQ(parse_aggregation("max:a:b")->column, "a:b");
  EXPECT_TRUE(mentions(parse_aggregation("maen:power").error(), "mean"));
  EXPECT_TRUE(mentions(parse_aggregation("mean").error(), "needs a column"));
  EXPECT_FALSE(parse_aggregation(""));
}

}  // namespace
}  // namespace ergon::table
