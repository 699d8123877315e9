#include "control/plants/interval_power.h"

#include <gtest/gtest.h>

namespace ergon::control {
namespace {

using namespace ergon::literals;

// Updates every 20 ms with the mean over the last 20 ms.
meter::SensorFacts sensor() {
  meter::SensorFacts facts;
  facts.period = 20_ms;
  facts.window = 20_ms;
  return facts;
}

const Controller::DecisionInterval kThreeUpdates{10, 3};

Feedback feedback_of(const IntervalPower& power, const StuckSensorCheck& check = {}) {
  Feedback feedback;
  power.write_to(feedback, check);
  return feedback;
}

TEST(IntervalPower, CountsReadingsWhoseWindowLiesInTheInterval) {
  IntervalPower power(sensor(), kThreeUpdates, false, 1_s);
  power.add(Seconds{1.01}, 900_W);  // half of its window was before
  for (const double at : {1.03, 1.05, 1.07}) power.add(Seconds{at}, 300_W);
  power.add(Seconds{1.09}, 360_W);
  const Feedback feedback = feedback_of(power);
  EXPECT_EQ(feedback.power, 360_W);
  EXPECT_NEAR(feedback.mean_power.value_or(0_W).si(), 315, 1e-9);
}

TEST(IntervalPower, WaitsLongerAfterAChange) {
  IntervalPower same(sensor(), kThreeUpdates, false, 0_s), changed(sensor(), kThreeUpdates, true, 0_s);
  for (const double at : {0.03, 0.05, 0.07}) {
    same.add(Seconds{at}, 300_W);
    changed.add(Seconds{at}, 300_W);
  }
  EXPECT_TRUE(feedback_of(same).power);
  EXPECT_FALSE(feedback_of(changed).power);
  EXPECT_FALSE(same.incomplete(Seconds{0.08}));
  EXPECT_TRUE(changed.incomplete(Seconds{0.08}));
}

TEST(IntervalPower, EndsWithoutReadingsAfterATimeout) {
  const IntervalPower power(sensor(), kThreeUpdates, false, 0_s);
  EXPECT_TRUE(power.incomplete(Seconds{0.9}));
  EXPECT_FALSE(power.incomplete(Seconds{1.2}));
  EXPECT_FALSE(feedback_of(power).power);
}

TEST(IntervalPower, TakesTheNewestReadingIfTheControllerDoesNotWait) {
  StuckSensorCheck check;
  check.add(250_W);
  IntervalPower power(sensor(), {10, 0}, true, 0_s);
  EXPECT_FALSE(power.incomplete(0_s));
  power.add(10_s, 900_W);
  power.add_newest(check);
  EXPECT_EQ(feedback_of(power, check).power, 250_W);
}

TEST(IntervalPower, AStuckSensorHasNoPower) {
  StuckSensorCheck check;
  IntervalPower power(sensor(), kThreeUpdates, false, 0_s);
  for (int i = 1; i <= 30; ++i) {
    check.add(300_W);
    power.add(20_ms * i, 300_W);
  }
  EXPECT_TRUE(check.stuck());
  EXPECT_FALSE(feedback_of(power, check).power);
  check.add(301_W);
  EXPECT_FALSE(check.stuck());
  EXPECT_TRUE(feedback_of(power, check).power);
}

}  // namespace
}  // namespace ergon::control
