#include "systolic/trace/miss_list.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace ergon::systolic {
namespace {

TEST(MissList, ReturnsWhatWasAdded) {
  Random random(8);
  MissList list;
  std::vector<Miss> expected;
  std::int64_t line = 0;
  for (int i = 0; i < 5000; ++i) {
    line += static_cast<std::int64_t>(random.below(random.below(5) == 0 ? 100'000'000 : 60));
    const std::int64_t moves =
        random.below(3) == 0 ? 1 + static_cast<std::int64_t>(random.below(1'000'000)) : 1;
    list.add({line, moves});
    if (!expected.empty() && expected.back().line == line) {
      expected.back().moves += moves;
    } else {
      expected.push_back({line, moves});
    }
  }
  std::vector<Miss> found;
  for (MissList::Cursor cursor(list); !cursor.done(); cursor.advance()) found.push_back(*cursor);
  EXPECT_EQ(found, expected);
  EXPECT_EQ(list.size(), expected.size());
  std::int64_t moves = 0;
  for (const Miss& miss : expected) moves += miss.moves;
  EXPECT_EQ(list.moves(), moves);
}

// An empty list ends before line 0, so that a miss in line 0 is the first one and not one more move of it.
TEST(MissList, StartsEmptyAndTakesLineZeroAsItsFirst) {
  MissList list;
  EXPECT_TRUE(MissList::Cursor(list).done());
  EXPECT_EQ(list.size(), 0U);
  EXPECT_EQ(list.moves(), 0);
  EXPECT_EQ(list.last_line(), -1);
  list.add({0, 3});
  EXPECT_EQ(list.size(), 1U);
  EXPECT_EQ(list.moves(), 3);
  EXPECT_EQ(list.last_line(), 0);
  MissList::Cursor cursor(list);
  ASSERT_FALSE(cursor.done());
  EXPECT_EQ(*cursor, (Miss{0, 3}));
  cursor.advance();
  EXPECT_TRUE(cursor.done());
}

TEST(MissList, StoresATypicalMissInTwoBytes) {
  constexpr std::int64_t kMisses = 8192;  // a power of two, at which the capacity of a vector is its size
  MissList list;
  for (std::int64_t i = 1; i <= kMisses; ++i) list.add({i * 100, 1});
  EXPECT_EQ(list.bytes(), 2U * kMisses);
}

}  // namespace
}  // namespace ergon::systolic
