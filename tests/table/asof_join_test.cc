#include "table/asof_join.h"

#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "table/mentions.h"

namespace ergon::table {
namespace {

template <typename T>
using Optionals = std::vector<std::optional<T>>;
using Rows = std::vector<std::size_t>;

Table numbers(const Optionals<std::int64_t>& keys) {
  Table table;
  table.add("t", Column::of(keys));
  return table;
}

Table times(const Optionals<std::int64_t>& seconds) {
  Optionals<Timestamp> moments;
  for (const auto& second : seconds) {
    moments.push_back(second ? std::optional(Timestamp{*second * 1'000'000'000}) : std::nullopt);
  }
  Table table;
  table.add("t", Column::of(moments));
  return table;
}

AsofOptions on_t(AsofDirection direction = AsofDirection::backward) {
  AsofOptions options;
  options.left_on = "t";
  options.right_on = "t";
  options.direction = direction;
  return options;
}

Rows matched(const Table& left, const Table& right, const AsofOptions& options) {
  const auto match = asof_match(left, right, options);
  if (match) return match->right_row;
  ADD_FAILURE() << match.error().message;
  return {};
}

Error failure(const Table& left, const Table& right, const AsofOptions& options) {
  const auto match = asof_match(left, right, options);
  const auto joined = asof_join(left, right, options);
  if (!match && !joined) return match.error();
  ADD_FAILURE() << "no error";
  return {Errc::io, ""};
}

TEST(AsofJoin, BackwardTakesTheLastAtOrBefore) {
  EXPECT_EQ(matched(numbers({0, 1, 4, 9}), numbers({1, 3, 9}), on_t()), (Rows{kNoRow, 0, 1, 2}));
}

TEST(AsofJoin, ForwardTakesTheFirstAtOrAfter) {
  EXPECT_EQ(matched(numbers({0, 1, 4, 10}), numbers({1, 3, 9}), on_t(AsofDirection::forward)),
            (Rows{0, 0, 2, kNoRow}));
}

TEST(AsofJoin, NearestTakesTheNearerAndTheEarlierOfTwoEquallyFar) {
  EXPECT_EQ(matched(numbers({0, 2, 3, 8, 20}), numbers({1, 3, 9}), on_t(AsofDirection::nearest)),
            (Rows{0, 0, 1, 2, 2}));
}

TEST(AsofJoin, OfEqualKeysBackwardTakesTheLastRowAndForwardTheFirst) {
  const Table right = numbers({5, 5, 5});
  EXPECT_EQ(matched(numbers({5, 6}), right, on_t()), (Rows{2, 2}));
  EXPECT_EQ(matched(numbers({5, 4}), right, on_t(AsofDirection::forward)), (Rows{0, 0}));
  EXPECT_EQ(matched(numbers({4, 5, 6}), right, on_t(AsofDirection::nearest)), (Rows{0, 2, 2}));
}

TEST(AsofJoin, NeitherTableNeedsToBeSorted) {
  EXPECT_EQ(matched(numbers({4, 0, 9}), numbers({9, 1, 3}), on_t()), (Rows{2, kNoRow, 0}));
}

TEST(AsofJoin, MissingKeysMatchNothing) {
  const auto match = asof_match(numbers({std::nullopt, 5}), numbers({std::nullopt, 4, std::nullopt}), on_t());
  ASSERT_TRUE(match);
  EXPECT_EQ(match->right_row, (Rows{kNoRow, 1}));
  EXPECT_EQ(match->unmatched, 1u);
}

TEST(AsofJoin, TablesWithoutRows) {
  EXPECT_EQ(matched(numbers({}), numbers({1}), on_t()), Rows{});
  EXPECT_EQ(matched(numbers({1, 2}), numbers({}), on_t()), (Rows{kNoRow, kNoRow}));
}

TEST(AsofJoin, AToleranceOfTimeIncludesItsEnd) {
  AsofOptions options = on_t();
  options.time_tolerance = Seconds{2.0};
  EXPECT_EQ(matched(times({3, 4}), times({1}), options), (Rows{0, kNoRow}));
  options.time_tolerance = Seconds{0.0};
  EXPECT_EQ(matched(times({1, 2}), times({1}), options), (Rows{0, kNoRow}));
  options.time_tolerance = Seconds{std::numeric_limits<double>::infinity()};
  EXPECT_EQ(matched(times({1, 2}), times({1}), options), (Rows{0, 0}));
}

TEST(AsofJoin, AToleranceDoesNotReachForAFartherRow) {
  // The nearest row before is in tolerance or none is.
  AsofOptions options = on_t(AsofDirection::nearest);
  options.number_tolerance = 1.5;
  EXPECT_EQ(matched(numbers({10, 12}), numbers({8, 11, 14}), options), (Rows{1, 1}));
  options.number_tolerance = 0.5;
  EXPECT_EQ(matched(numbers({10, 11}), numbers({8, 11}), options), (Rows{kNoRow, 1}));
}

TEST(AsofJoin, TheWholeRangeOf64Bits) {
  const Table extremes = numbers({INT64_MIN, -1, INT64_MAX});
  EXPECT_EQ(matched(extremes, extremes, on_t()), (Rows{0, 1, 2}));
  EXPECT_EQ(matched(numbers({INT64_MAX}), numbers({INT64_MIN}), on_t()), (Rows{0}));
  EXPECT_EQ(matched(numbers({INT64_MIN}), numbers({INT64_MAX}), on_t(AsofDirection::forward)), (Rows{0}));
  EXPECT_EQ(matched(numbers({1}), numbers({INT64_MIN, INT64_MAX}), on_t(AsofDirection::nearest)), (Rows{1}));
  AsofOptions near = on_t();
  near.number_tolerance = 1e19;
  EXPECT_EQ(matched(numbers({INT64_MAX}), numbers({INT64_MIN}), near), (Rows{kNoRow}));
  near.number_tolerance = 1e20;
  EXPECT_EQ(matched(numbers({INT64_MAX}), numbers({INT64_MIN}), near), (Rows{0}));
}

TEST(AsofJoin, WholeNumbersBeyondTheExactDoublesStayApart) {
  const std::int64_t big = std::int64_t{1} << 60;
  EXPECT_EQ(matched(numbers({big}), numbers({big + 1, big - 1}), on_t()), (Rows{1}));
}

TEST(AsofJoin, ByColumnsMustBeEqual) {
  Table left = numbers({5, 5, 5, 5});
  left.add("node", Column::of(Optionals<std::string>{"b", "a", "c", std::nullopt}));
  Table right = numbers({1, 2, 3});
  right.add("host", Column::of(Optionals<std::string>{"a", "b", std::nullopt}));
  AsofOptions options = on_t();
  options.by = {{"node", "host"}};
  EXPECT_EQ(matched(left, right, options), (Rows{1, 0, kNoRow, kNoRow}));
}

TEST(AsofJoin, TheJoinedTableHasTheLeftRowsAndTheRightColumnsBeside) {
  Table left = numbers({1, 5});
  left.add("load", Column::of(Optionals<std::string>{"x", "y"}));
  Table right = numbers({2, 4});
  right.add("watts", Column::of(Optionals<double>{1.5, 2.5}));
  const auto joined = asof_join(left, right, on_t());
  ASSERT_TRUE(joined) << joined.error().message;
  const Table& table = joined->table;
  EXPECT_EQ(std::vector(table.names().begin(), table.names().end()),
            (std::vector<std::string>{"t", "load", "t_right", "watts"}));
  EXPECT_EQ(joined->unmatched, 1u);
  EXPECT_EQ(table.columns()[0].int64s()[0], 1);
  EXPECT_TRUE(table.columns()[2].missing(0));
  EXPECT_TRUE(table.columns()[3].missing(0));
  EXPECT_EQ(table.columns()[2].int64s()[1], 4);
  EXPECT_EQ(table.columns()[3].float64s()[1], 2.5);
}

TEST(AsofJoin, RepeatedNamesGetASuffixAndByColumnsAreNotRepeated) {
  Table left = numbers({1});
  left.add("node", Column::of(Optionals<std::string>{"a"}));
  left.add("v", Column::of(Optionals<std::int64_t>{1}));
  left.add("v_right", Column::of(Optionals<std::int64_t>{2}));
  Table right = numbers({1});
  right.add("node", Column::of(Optionals<std::string>{"a"}));
  right.add("v", Column::of(Optionals<std::int64_t>{3}));
  right.add("t_right", Column::of(Optionals<std::int64_t>{4}));
  AsofOptions options = on_t();
  options.by = {{"node", "node"}};
  const auto joined = asof_join(left, right, options);
  ASSERT_TRUE(joined) << joined.error().message;
  const auto names = joined->table.names();
  EXPECT_EQ(
      std::vector(names.begin(), names.end()),
      (std::vector<std::string>{"t", "node", "v", "v_right", "t_right", "v_right_right", "t_right_right"}));
  EXPECT_EQ(joined->table.columns()[5].int64s()[0], 3);
  EXPECT_EQ(joined->table.columns()[6].int64s()[0], 4);
}

TEST(AsofJoin, ByColumnsOfDifferentNamesAreBothKept) {
  Table left = numbers({1});
  left.add("node", Column::of(Optionals<std::string>{"a"}));
  Table right = numbers({1});
  right.add("host", Column::of(Optionals<std::string>{"a"}));
  AsofOptions options = on_t();
  options.by = {{"node", "host"}};
  const auto joined = asof_join(left, right, options);
  ASSERT_TRUE(joined) << joined.error().message;
  EXPECT_TRUE(joined->table.has("node"));
  EXPECT_TRUE(joined->table.has("host"));
}

TEST(AsofJoin, UnknownColumnsAreNamed) {
  AsofOptions options = on_t();
  options.left_on = "time";
  const Error left = failure(numbers({1}), numbers({1}), options);
  EXPECT_EQ(left.kind, Errc::not_found);
  EXPECT_TRUE(mentions(left, "left table") && mentions(left, "\"time\"")) << left.message;
  options = on_t();
  options.right_on = "time";
  const Error right = failure(numbers({1}), numbers({1}), options);
  EXPECT_TRUE(mentions(right, "right table") && mentions(right, "\"time\"")) << right.message;
  options = on_t();
  options.by = {{"node", "t"}};
  EXPECT_TRUE(mentions(failure(numbers({1}), numbers({1}), options), "\"node\""));
}

TEST(AsofJoin, KeysOfDifferentKindsAreRejected) {
  const Error error = failure(numbers({1}), times({1}), on_t());
  EXPECT_EQ(error.kind, Errc::invalid_input);
  EXPECT_TRUE(mentions(error, "timestamp") && mentions(error, "int")) << error.message;
  Table text;
  text.add("t", Column::of(Optionals<std::string>{"a"}));
  EXPECT_EQ(failure(text, text, on_t()).kind, Errc::invalid_input);
}

TEST(AsofJoin, ByColumnsOfDifferentKindsAreRejected) {
  Table left = numbers({1});
  left.add("node", Column::of(Optionals<std::string>{"1"}));
  AsofOptions options = on_t();
  options.by = {{"node", "t"}};
  const Error error = failure(left, numbers({1}), options);
  EXPECT_EQ(error.kind, Errc::invalid_input);
  EXPECT_TRUE(mentions(error, "\"node\"") && mentions(error, "\"t\"")) << error.message;
}

TEST(AsofJoin, AToleranceMustFitTheKeys) {
  AsofOptions options = on_t();
  options.number_tolerance = 1;
  EXPECT_EQ(failure(times({1}), times({1}), options).kind, Errc::invalid_input);
  options = on_t();
  options.time_tolerance = Seconds{1.0};
  EXPECT_EQ(failure(numbers({1}), numbers({1}), options).kind, Errc::invalid_input);
}

TEST(AsofJoin, ANegativeToleranceIsRejected) {
  AsofOptions options = on_t();
  options.number_tolerance = -1;
  EXPECT_TRUE(mentions(failure(numbers({1}), numbers({1}), options), "tolerance"));
  options.number_tolerance = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(mentions(failure(numbers({1}), numbers({1}), options), "tolerance"));
}

TEST(AsofJoin, OptionsAreParsed) {
  EXPECT_EQ(parse_column_pair("time"), std::pair(std::string("time"), std::string("time")));
  EXPECT_EQ(parse_column_pair("start=time"), std::pair(std::string("start"), std::string("time")));
  EXPECT_EQ(name_of(AsofDirection::backward), "backward");
  EXPECT_EQ(name_of(AsofDirection::forward), "forward");
  EXPECT_EQ(name_of(AsofDirection::nearest), "nearest");
}

}  // namespace
}  // namespace ergon::table
