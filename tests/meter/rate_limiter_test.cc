#include "meter/rate_limiter.h"

#include <gtest/gtest.h>

#include "meter/at.h"

namespace ergon::meter {
namespace {

using namespace ergon::literals;

TEST(RateLimiter, IsDueFromTheStartUntilTheFirstCallEnds) {
  RateLimiter pace(1_s, 2_s);
  for (const Seconds time : {0_s, 0.001_s, 3600_s}) EXPECT_TRUE(pace.due(at(time))) << time.si();
  pace.done(at(3600_s), at(3600.001_s));
  EXPECT_FALSE(pace.due(at(3600.001_s)));
}

// The pause is the duration of the call divided by the share, from 1 s to 4 s, and starts at the end of the
// call.
TEST(RateLimiter, ThePauseFollowsFromTheDurationOfTheLastCall) {
  struct Case {
    Seconds took;
    double share;
    Seconds pause;
  };
  for (const auto& [took, share, pause] : {Case{0_s, 0.5, 1_s}, Case{0.25_s, 0.5, 1_s}, Case{1_s, 0.5, 2_s},
                                           Case{1_s, 0.25, 4_s}, Case{60_s, 0.5, 4_s}}) {
    RateLimiter pace(1_s, 4_s, share);
    pace.done(at(0_s), at(99.5_s));  // only the last call counts
    pace.done(at(100_s), at(100_s + took));
    EXPECT_FALSE(pace.due(at(100_s + took + pause - 1_ms))) << took.si() << " " << share;
    EXPECT_TRUE(pace.due(at(100_s + took + pause))) << took.si() << " " << share;
  }
}

TEST(RateLimiter, WaitsTheMinimumAfterACheapCall) {
  RateLimiter pace(250_ms, 10_s);
  pace.done(at(1_s), at(1.0001_s));
  EXPECT_FALSE(pace.due(at(1.25_s)));
  EXPECT_TRUE(pace.due(at(1.2501_s)));
}

TEST(RateLimiter, AnExpensiveCallTakesASmallShareOfTheTime) {
  RateLimiter pace(250_ms, 10_s);
  Instant now = at(0_s);
  Seconds spent;
  while (now < at(100_s)) {
    if (pace.due(now)) {
      const Instant began = now;
      now = now + 10_ms;
      pace.done(began, now);
      spent += now - began;
    }
    now = now + 1_ms;
  }
  EXPECT_GT(spent, 0_s);
  EXPECT_LE(spent, 0.005 * 100_s);
}

TEST(RateLimiter, ASlowCallDoesNotBlockTheNextForLong) {
  RateLimiter pace(250_ms, 2_s);
  pace.done(at(1_s), at(4_s));
  EXPECT_FALSE(pace.due(at(5.9_s)));
  EXPECT_TRUE(pace.due(at(6_s)));
}

// Spends the available budget for a time, in calls of a given cost.
Seconds spends(TimeBudget& allowance, Instant& now, Seconds during, Seconds cost) {
  const Instant end = now + during;
  Seconds spent;
  while (now < end) {
    if (allowance.available(now)) {
      allowance.spend(cost);
      spent += cost;
      now = now + cost;
    }
    now = now + 5_ms;
  }
  return spent;
}

TEST(TimeBudget, AllowsABurstAndThenASmallShare) {
  TimeBudget allowance;
  Instant now = at(1_s);
  const Seconds burst = spends(allowance, now, 1_s, 3_ms);
  EXPECT_GE(burst, 0.1_s);
  EXPECT_LE(burst, 0.115_s);
  const Seconds later = spends(allowance, now, 100_s, 3_ms);
  EXPECT_GT(later, 0.3_s);
  EXPECT_LE(later, 0.01 * 100_s);
}

TEST(TimeBudget, SavedTimeIsBounded) {
  TimeBudget allowance;
  Instant now = at(1_s);
  (void)spends(allowance, now, 10_s, 3_ms);
  now = now + 100'000_s;
  EXPECT_LE(spends(allowance, now, 1_s, 3_ms), 0.115_s);
}

TEST(TimeBudget, ASlowCallBlocksForSomeSecondsAtMost) {
  TimeBudget allowance;
  ASSERT_TRUE(allowance.available(at(1_s)));
  allowance.spend(30_s);
  EXPECT_FALSE(allowance.available(at(2_s)));
  EXPECT_TRUE(allowance.available(at(5_s)));
}

TEST(TimeBudget, FreeCallsAreAlwaysAllowed) {
  TimeBudget allowance;
  for (int i = 0; i < 1000; ++i) {
    ASSERT_TRUE(allowance.available(at(0.01_s * i)));
    allowance.spend(0_s);
  }
}

}  // namespace
}  // namespace ergon::meter
