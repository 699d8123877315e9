#include "meter/counter_probe.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "meter/at.h"

namespace ergon::meter {
namespace {

using namespace ergon::literals;

TEST(CounterProbe, IsNotRequestedAtFirst) {
  CounterProbe probe;
  EXPECT_FALSE(probe.requested());
  probe.request();
  EXPECT_TRUE(probe.requested());
}

TEST(CounterProbe, OneReadShowsNoStep) {
  CounterProbe probe;
  probe.request();
  EXPECT_FALSE(probe.read(at(1_s), at(1.001_s), 500_J));
  EXPECT_TRUE(probe.requested());
}

TEST(CounterProbe, AStepIsBetweenTheLastOldAndTheFirstNewValue) {
  CounterProbe probe;
  probe.request();
  EXPECT_FALSE(probe.read(at(1.000_s), at(1.001_s), 500_J));
  EXPECT_FALSE(probe.read(at(1.010_s), at(1.011_s), 500_J));
  const auto step = probe.read(at(1.020_s), at(1.024_s), 502_J);
  ASSERT_TRUE(step);
  EXPECT_EQ(step->counted, 502_J);
  EXPECT_NEAR(step->bracket.si(), 0.014, 1e-12);
  EXPECT_EQ(step->at, at(1.017_s));
  EXPECT_FALSE(probe.requested()) << "a step ends the probe";
}

TEST(CounterProbe, TheNextProbeStartsEmpty) {
  CounterProbe probe;
  probe.request();
  (void)probe.read(at(1_s), at(1_s), 500_J);
  ASSERT_TRUE(probe.read(at(1.02_s), at(1.02_s), 502_J));
  probe.request();
  EXPECT_FALSE(probe.read(at(9_s), at(9_s), 900_J)) << "earlier reads do not count";
  EXPECT_TRUE(probe.read(at(9.02_s), at(9.02_s), 902_J));
}

TEST(CounterProbe, ResetDiscardsReads) {
  CounterProbe probe;
  probe.request();
  (void)probe.read(at(1_s), at(1_s), 500_J);
  probe.reset();
  EXPECT_FALSE(probe.requested());
  probe.request();
  EXPECT_FALSE(probe.read(at(2_s), at(2_s), 700_J));
}

TEST(CounterProbe, ReportsTheTimeWithoutChange) {
  CounterProbe probe;
  EXPECT_EQ(probe.unchanged(at(5_s)), 0_s) << "no read yet";
  probe.request();
  (void)probe.read(at(6_s), at(6_s), 500_J);
  (void)probe.read(at(7_s), at(7_s), 500_J);
  EXPECT_EQ(probe.unchanged(at(8_s)), 2_s);
  (void)probe.read(at(8_s), at(8_s), 502_J);
  EXPECT_EQ(probe.unchanged(at(9_s)), 0_s);
}

TEST(CounterProbe, ASecondRequestHasNoEffect) {
  CounterProbe probe;
  probe.request();
  (void)probe.read(at(1_s), at(1_s), 500_J);
  probe.request();
  EXPECT_TRUE(probe.read(at(1.02_s), at(1.02_s), 502_J));
}

TEST(CounterProbe, ADecreaseIsAStep) {  // the recorder rejects it
  CounterProbe probe;
  probe.request();
  (void)probe.read(at(1_s), at(1_s), 500_J);
  const auto step = probe.read(at(1.02_s), at(1.02_s), 3_J);
  ASSERT_TRUE(step);
  EXPECT_EQ(step->counted, 3_J);
}

TEST(CounterProbe, TheBracketHoldsTheStep) {
  Random random(1);
  for (int i = 0; i < 1000; ++i) {
    CounterProbe probe;
    probe.request();
    const Instant stepped = at(Seconds{1 + random.uniform()});
    Instant now = at(0.9_s);
    for (;;) {
      const Instant began = now;
      const Instant counted = began + Seconds{0.003 * random.uniform()};  // somewhere during the call
      const Instant ended = counted + Seconds{0.003 * random.uniform()};
      const auto step = probe.read(began, ended, counted < stepped ? 1_J : 2_J);
      now = ended + Seconds{0.02 * random.uniform()};
      if (!step) continue;
      ASSERT_LE(step->at + step->bracket * -0.5, stepped + 1_ns);
      ASSERT_GE(step->at + step->bracket * 0.5, stepped + -1_ns);
      break;
    }
  }
}

}  // namespace
}  // namespace ergon::meter
