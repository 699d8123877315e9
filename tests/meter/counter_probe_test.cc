#include "meter/counter_probe.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "meter/at.h"

namespace ergon::meter {
namespace {

using namespace ergon::literals;

TEST(CounterProbe, IsNotWantedUntilSomebodyWantsIt) {
  CounterProbe probe;
  EXPECT_FALSE(probe.wanted());
  probe.want();
  EXPECT_TRUE(probe.wanted());
}

TEST(CounterProbe, OneReadTellsNothing) {
  CounterProbe probe;
  probe.want();
  EXPECT_FALSE(probe.read(at(1_s), at(1.001_s), 500_J));
  EXPECT_TRUE(probe.wanted());
}

TEST(CounterProbe, AStepLiesBetweenTheLastReadOfTheOldAndTheFirstOfTheNew) {
  CounterProbe probe;
  probe.want();
  EXPECT_FALSE(probe.read(at(1.000_s), at(1.001_s), 500_J));
  EXPECT_FALSE(probe.read(at(1.010_s), at(1.011_s), 500_J));
  const auto step = probe.read(at(1.020_s), at(1.024_s), 502_J);
  ASSERT_TRUE(step);
  EXPECT_EQ(step->counted, 502_J);
  EXPECT_NEAR(step->bracket.si(), 0.014, 1e-12);
  EXPECT_EQ(step->at, at(1.017_s));
  EXPECT_FALSE(probe.wanted()) << "a step ends the probe";
}

TEST(CounterProbe, TheNextBeginsFromNothing) {
  CounterProbe probe;
  probe.want();
  (void)probe.read(at(1_s), at(1_s), 500_J);
  ASSERT_TRUE(probe.read(at(1.02_s), at(1.02_s), 502_J));
  probe.want();
  EXPECT_FALSE(probe.read(at(9_s), at(9_s), 900_J)) << "between two probes it has stepped many times";
  EXPECT_TRUE(probe.read(at(9.02_s), at(9.02_s), 902_J));
}

TEST(CounterProbe, AbandonedItForgets) {
  CounterProbe probe;
  probe.want();
  (void)probe.read(at(1_s), at(1_s), 500_J);
  probe.abandon();
  EXPECT_FALSE(probe.wanted());
  probe.want();
  EXPECT_FALSE(probe.read(at(2_s), at(2_s), 700_J));
}

TEST(CounterProbe, TellsForHowLongItHasSeenTheSame) {
  CounterProbe probe;
  EXPECT_EQ(probe.unchanged(at(5_s)), 0_s) << "it has seen nothing";
  probe.want();
  (void)probe.read(at(6_s), at(6_s), 500_J);
  (void)probe.read(at(7_s), at(7_s), 500_J);
  EXPECT_EQ(probe.unchanged(at(8_s)), 2_s);
  (void)probe.read(at(8_s), at(8_s), 502_J);
  EXPECT_EQ(probe.unchanged(at(9_s)), 0_s);
}

TEST(CounterProbe, WantedTwiceIsWantedOnce) {
  CounterProbe probe;
  probe.want();
  (void)probe.read(at(1_s), at(1_s), 500_J);
  probe.want();
  EXPECT_TRUE(probe.read(at(1.02_s), at(1.02_s), 502_J));
}

TEST(CounterProbe, ACounterThatFallsSteps) {  // what to think of it is for others
  CounterProbe probe;
  probe.want();
  (void)probe.read(at(1_s), at(1_s), 500_J);
  const auto step = probe.read(at(1.02_s), at(1.02_s), 3_J);
  ASSERT_TRUE(step);
  EXPECT_EQ(step->counted, 3_J);
}

TEST(CounterProbe, TheBracketHoldsTheStep) {
  Random random(1);
  for (int i = 0; i < 1000; ++i) {
    CounterProbe probe;
    probe.want();
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
