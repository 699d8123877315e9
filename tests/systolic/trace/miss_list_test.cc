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

TEST(MissList, IsEmptyAtFirst) { EXPECT_TRUE(MissList::Cursor(MissList()).done()); }

TEST(MissList, StoresATypicalMissInTwoBytes) {
  MissList list;
  for (std::int64_t i = 0; i < 10'000; ++i) list.add({i * 100, 1});
  EXPECT_LE(list.bytes(), 40'000U);
}

}  // namespace
}  // namespace ergon::systolic
