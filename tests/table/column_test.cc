#include "table/column.h"

#include <string>

#include <gtest/gtest.h>

namespace ergon::table {
namespace {

template <typename T>
using Optionals = std::vector<std::optional<T>>;

TEST(Column, TypesAreKnownByTheirNames) {
  for (const Type type : {Type::int64, Type::float64, Type::timestamp, Type::text}) {
    EXPECT_EQ(type_named(name_of(type)), type);
  }
  EXPECT_EQ(type_named("number"), std::nullopt);
  EXPECT_EQ(type_named(""), std::nullopt);
}

TEST(Column, HoldsWhatItWasMadeOf) {
  const Column whole = Column::of(Optionals<std::int64_t>{1, std::nullopt, -3});
  EXPECT_EQ(whole.type(), Type::int64);
  EXPECT_EQ(whole.size(), 3u);
  EXPECT_EQ(whole.int64s()[2], -3);
  EXPECT_FALSE(whole.missing(0));
  EXPECT_TRUE(whole.missing(1));
  EXPECT_EQ(Column::of(Optionals<double>{0.5}).type(), Type::float64);
  EXPECT_EQ(Column::of(Optionals<Timestamp>{Timestamp{7}}).timestamps()[0].ns, 7);
  const Column text = Column::of(Optionals<std::string>{"a", "b", "a", ""});
  EXPECT_EQ(text.type(), Type::text);
  EXPECT_EQ(text.text_at(2), "a");
  EXPECT_EQ(text.text_at(3), "");
  EXPECT_EQ(text.text().codes[0], text.text().codes[2]);
  EXPECT_EQ(text.text().dictionary->size(), 3u);
}

TEST(Column, CellsAreWhatAFileWouldHold) {
  EXPECT_EQ(Column::of(Optionals<std::int64_t>{INT64_MIN}).cell(0), "-9223372036854775808");
  EXPECT_EQ(Column::of(Optionals<double>{0.1}).cell(0), "0.1");
  EXPECT_EQ(Column::of(Optionals<Timestamp>{Timestamp{1'500'000}}).cell(0), "1970-01-01T00:00:00.001500Z");
  EXPECT_EQ(Column::of(Optionals<std::string>{"a \"b\""}).cell(0), "a \"b\"");
  EXPECT_EQ(Column::of(Optionals<std::string>{std::nullopt}).cell(0), "");
}

TEST(Column, NumbersLeaveMissingRowsOut) {
  EXPECT_EQ(Column::of(Optionals<std::int64_t>{1, std::nullopt, 3}).numbers(), (std::vector<double>{1, 3}));
  EXPECT_EQ(Column::of(Optionals<double>{std::nullopt, 2.5}).numbers(), (std::vector<double>{2.5}));
  EXPECT_TRUE(Column::of(Optionals<std::string>{"1"}).numbers().empty());
  EXPECT_TRUE(Column::of(Optionals<Timestamp>{Timestamp{1}}).numbers().empty());
}

TEST(Column, OnlyNumbersAreNumeric) {
  EXPECT_TRUE(Column::of(Optionals<std::int64_t>{}).numeric());
  EXPECT_TRUE(Column::of(Optionals<double>{}).numeric());
  EXPECT_FALSE(Column::of(Optionals<Timestamp>{}).numeric());
  EXPECT_FALSE(Column::of(Optionals<std::string>{}).numeric());
  EXPECT_EQ(Column::of(Optionals<std::int64_t>{4}).number_at(0), 4.0);
}

TEST(Column, GatherRepeatsReordersAndLeavesGaps) {
  const std::size_t rows[] = {2, kNoRow, 0, 2, 1};
  const Column whole = Column::of(Optionals<std::int64_t>{10, std::nullopt, 30}).gather(rows);
  ASSERT_EQ(whole.size(), 5u);
  EXPECT_EQ(whole.int64s()[0], 30);
  EXPECT_TRUE(whole.missing(1));
  EXPECT_EQ(whole.int64s()[2], 10);
  EXPECT_EQ(whole.int64s()[3], 30);
  EXPECT_TRUE(whole.missing(4));
  const Column text = Column::of(Optionals<std::string>{"a", "b", "c"}).gather(rows);
  EXPECT_EQ(text.text_at(0), "c");
  EXPECT_EQ(text.cell(1), "");
  EXPECT_TRUE(text.missing(1));
  EXPECT_EQ(text.text_at(4), "b");
}

TEST(Column, GatherOfAnEmptyColumnGivesMissingRows) {
  const std::size_t rows[] = {kNoRow, kNoRow};
  const Column text = Column::of(Optionals<std::string>{}).gather(rows);
  EXPECT_EQ(text.size(), 2u);
  EXPECT_EQ(text.missing_rows().count(), 2u);
}

TEST(Column, MemoryGrowsWithTheValues) {
  const Column small(Values<double>(10));
  const Column large(Values<double>(1000));
  EXPECT_GE(large.memory().si(), 8000);
  EXPECT_LT(small.memory(), large.memory());
}

TEST(Column, AskingForAnotherTypeIsABrokenContract) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const Column whole = Column::of(Optionals<std::int64_t>{1});
  EXPECT_ANY_THROW(static_cast<void>(whole.float64s()));
  EXPECT_DEATH(static_cast<void>(Column::of(Optionals<std::string>{"1"}).number_at(0)), "contract");
}

TEST(MissingRows, AnEmptyMaskTakesNoMemory) {
  const MissingRows missing;
  EXPECT_FALSE(missing.any());
  EXPECT_FALSE(missing.at(1'000'000));
  EXPECT_EQ(missing.count(), 0u);
  EXPECT_EQ(missing.memory().si(), 0);
}

TEST(MissingRows, MarksSingleRows) {
  MissingRows missing;
  for (const std::size_t row : {0, 63, 64, 129, 63}) missing.mark(row, 130);
  EXPECT_TRUE(missing.any());
  EXPECT_EQ(missing.count(), 4u);
  for (std::size_t row = 0; row < 130; ++row) {
    EXPECT_EQ(missing.at(row), row == 0 || row == 63 || row == 64 || row == 129) << row;
  }
}

TEST(MissingRows, CompactingFreesAnEmptyMask) {
  MissingRows missing;
  missing.words().assign(3, 0);
  missing.settle();
  EXPECT_FALSE(missing.any());
  missing.words().assign(3, 0);
  missing.words()[2] = 2;
  missing.settle();
  EXPECT_TRUE(missing.at(129));
  EXPECT_EQ(missing.count(), 1u);
}

}  // namespace
}  // namespace ergon::table
