#include "base/random.h"

#include <array>

#include <gtest/gtest.h>

namespace ergon {
namespace {

TEST(Random, IsFixedByItsSeed) {
  // The standard fixes mt19937_64: the 10000th value of the default seed.
  Random random(5489);
  for (int i = 0; i < 9999; ++i) random.bits();
  EXPECT_EQ(random.bits(), 9981545732273789042u);
}

TEST(Random, BelowIsUniform) {
  Random random(7);
  std::array<int, 6> counts{};
  for (int i = 0; i < 60000; ++i) ++counts[random.below(6)];
  for (const int count : counts) EXPECT_NEAR(count, 10000, 500);  // more than five deviations
}

TEST(Random, UniformStaysBelowOne) {
  Random random(7);
  double sum = 0;
  for (int i = 0; i < 10000; ++i) {
    const double u = random.uniform();
    ASSERT_GE(u, 0);
    ASSERT_LT(u, 1);
    sum += u;
  }
  EXPECT_NEAR(sum / 10000, 0.5, 0.02);
}

}  // namespace
}  // namespace ergon
