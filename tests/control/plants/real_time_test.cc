#include "control/plants/real_time.h"

#include <gtest/gtest.h>

#include "control/plants/small_plant.h"

namespace ergon::control {
namespace {

TEST(RealTime, RunsAtTheSpeedOfTheClock) {
  ManualClock clock;
  RealTimePlant plant(std::make_unique<test::SmallPlant>(Knobs{{1}, {Hertz{1e9}}}), clock, {});
  for (int i = 1; i <= 5; ++i) {
    ASSERT_TRUE(plant.run({1, Hertz{1e9}}, {}));
    EXPECT_NEAR((clock.now() - Instant{}).si(), i, 1e-6);
  }
}

TEST(RealTime, DoesNotSleepAfterStop) {
  ManualClock clock;
  std::stop_source stop;
  stop.request_stop();
  RealTimePlant plant(std::make_unique<test::SmallPlant>(Knobs{{1}, {Hertz{1e9}}}), clock, stop.get_token());
  ASSERT_TRUE(plant.run({1, Hertz{1e9}}, {}));
  EXPECT_EQ(clock.now().ns, 0);
}

}  // namespace
}  // namespace ergon::control
