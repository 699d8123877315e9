#include "graph/count.h"

#include <limits>

#include <gtest/gtest.h>

namespace ergon::graph {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

TEST(Count, IsExactUpToTheLimits) {
  EXPECT_EQ((Count(kMost - 1) + 1).exact(), kMost);
  EXPECT_EQ((Count(3) * 5 - 1).exact(), 14);
}

TEST(Count, DetectsOverflow) {
  EXPECT_TRUE((Count(kMost) + 1).overflowed());
  EXPECT_TRUE((Count(std::int64_t{1} << 62) * 2).overflowed());
  EXPECT_TRUE((Count(std::numeric_limits<std::int64_t>::min()) - 1).overflowed());
  EXPECT_EQ((Count(kMost) + 1).value().error().kind, Errc::invalid_input);
}

TEST(Count, OverflowIsSticky) {
  const Count broken = Count(kMost) * 2;
  EXPECT_TRUE((broken * 0).overflowed());
  EXPECT_TRUE((Count(1) + broken).overflowed());
}

}  // namespace
}  // namespace ergon::graph
