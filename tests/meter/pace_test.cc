#include "meter/pace.h"

#include <gtest/gtest.h>

#include "meter/at.h"

namespace ergon::meter {
namespace {

using namespace ergon::literals;

TEST(Pace, IsDueAtOnce) { EXPECT_TRUE(Pace(1_s, 2_s).due(at(0_s))); }

TEST(Pace, WaitsTheLeastTimeAfterSomethingCheap) {
  Pace pace(250_ms, 10_s);
  pace.done(at(1_s), at(1.0001_s));
  EXPECT_FALSE(pace.due(at(1.25_s)));
  EXPECT_TRUE(pace.due(at(1.2501_s)));
}

TEST(Pace, SomethingCostlyTakesASmallShareOfTheTime) {
  Pace pace(250_ms, 10_s);
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

TEST(Pace, ASingleSlowCallDoesNotSilenceWhatFollows) {
  Pace pace(250_ms, 2_s);
  pace.done(at(1_s), at(4_s));
  EXPECT_FALSE(pace.due(at(5.9_s)));
  EXPECT_TRUE(pace.due(at(6_s)));
}

// Spends whatever it can for so long, in portions of a cost.
Seconds spends(Allowance& allowance, Instant& now, Seconds during, Seconds cost) {
  const Instant end = now + during;
  Seconds spent;
  while (now < end) {
    if (allowance.affords(now)) {
      allowance.spend(cost);
      spent += cost;
      now = now + cost;
    }
    now = now + 5_ms;
  }
  return spent;
}

TEST(Allowance, ABurstIsAffordedAndThenASmallShare) {
  Allowance allowance;
  Instant now = at(1_s);
  const Seconds burst = spends(allowance, now, 1_s, 3_ms);
  EXPECT_GE(burst, 0.1_s);
  EXPECT_LE(burst, 0.115_s);
  const Seconds later = spends(allowance, now, 100_s, 3_ms);
  EXPECT_GT(later, 0.3_s);
  EXPECT_LE(later, 0.01 * 100_s);
}

TEST(Allowance, WhatIsSavedUpHasALimit) {
  Allowance allowance;
  Instant now = at(1_s);
  (void)spends(allowance, now, 10_s, 3_ms);
  now = now + 100'000_s;
  EXPECT_LE(spends(allowance, now, 1_s, 3_ms), 0.115_s);
}

TEST(Allowance, ASingleSlowCallIsWaitedForSomeSecondsAtMost) {
  Allowance allowance;
  ASSERT_TRUE(allowance.affords(at(1_s)));
  allowance.spend(30_s);
  EXPECT_FALSE(allowance.affords(at(2_s)));
  EXPECT_TRUE(allowance.affords(at(5_s)));
}

TEST(Allowance, WhatCostsNothingIsAlwaysAfforded) {
  Allowance allowance;
  for (int i = 0; i < 1000; ++i) {
    ASSERT_TRUE(allowance.affords(at(0.01_s * i)));
    allowance.spend(0_s);
  }
}

}  // namespace
}  // namespace ergon::meter
