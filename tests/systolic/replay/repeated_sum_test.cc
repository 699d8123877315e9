#include "systolic/replay/repeated_sum.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace ergon::systolic {
namespace {

double by_loop(double sum, double value, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) sum += value;
  return sum;
}

TEST(AddRepeatedly, RoundsAsTheLoopDoes) {
  Random random(3);
  for (int i = 0; i < 3000; ++i) {
    const double value = random.uniform() * (random.below(4) == 0 ? 1e-9 : 1);
    const double sum = random.uniform() * static_cast<double>(random.below(1000));
    const auto count = static_cast<std::int64_t>(random.below(4000));
    ASSERT_EQ(add_repeatedly(sum, value, count), by_loop(sum, value, count))
        << sum << " + " << count << " x " << value;
  }
}

// A value that ends halfway between two neighbours of the sum goes to the even one.
TEST(AddRepeatedly, RoundsTiesAsTheLoopDoes) {
  for (double value : {0x1p-53, 0x1.8p-52, 0x1p-52 + 0x1p-53, 5 * 0x1p-53, 0x1.00000000000008p0}) {
    for (double sum : {0.0, 1.0, 1.0 + 0x1p-52, 3.0, 0.75}) {
      for (std::int64_t count = 0; count < 40; ++count) {
        ASSERT_EQ(add_repeatedly(sum, value, count), by_loop(sum, value, count))
            << sum << " " << value << " " << count;
      }
    }
  }
}

TEST(AddRepeatedly, TakesConstantTime) {
  EXPECT_EQ(add_repeatedly(0, 1, std::int64_t{1} << 50), 0x1p50);
  EXPECT_EQ(add_repeatedly(0, 0.5, 1'000'000'000'000), 5e11);
  EXPECT_EQ(add_repeatedly(7, 0, 1'000'000'000'000), 7);
  EXPECT_EQ(add_repeatedly(0x1p60, 1, 1'000'000'000'000), 0x1p60);  // too small to be seen
}

}  // namespace
}  // namespace ergon::systolic
