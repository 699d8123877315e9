#include "base/clock.h"

#include <gtest/gtest.h>

namespace ergon {
namespace {

using namespace ergon::literals;

TEST(ManualClock, AdvancesOnlyWhenAsked) {
  ManualClock clock(Timestamp{1000});
  const Instant start = clock.now();
  EXPECT_EQ(clock.now() - start, 0_s);
  clock.advance(1.5_s);
  EXPECT_EQ(clock.now() - start, 1.5_s);
  EXPECT_EQ(clock.wall_now().ns, 1'500'001'000);
}

TEST(ManualClock, SleepingIsAdvancing) {
  ManualClock clock;
  clock.sleep_until(clock.now() + 2_s);
  EXPECT_EQ(clock.now().ns, 2'000'000'000);
  clock.sleep_until(Instant{1});  // long past
  EXPECT_EQ(clock.now().ns, 2'000'000'000);
}

TEST(SystemClock, SleepsUntilDue) {
  SystemClock clock;
  const Instant due = clock.now() + 5_ms;
  clock.sleep_until(due);
  EXPECT_GE(clock.now(), due);
  EXPECT_GT(clock.wall_now(), *parse_timestamp("2024-01-01"));
}

}  // namespace
}  // namespace ergon
