// Readings of 20 of every 100 ms and a counter that steps every 20 ms, around a window of 60 ms.

#include "meter/window_posterior.h"

#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "meter/at.h"

namespace ergon::meter {
namespace {

using namespace ergon::literals;

constexpr Seconds kOpens{1.01}, kCloses{1.07};

// 50 W, and `work` while the window is open.
double joules(Seconds until, Watts work) {
  const double open = std::clamp((until - kOpens).si(), 0.0, (kCloses - kOpens).si());
  return 50 * until.si() + (work.si() - 50) * open;
}

WindowData around(Watts work, bool counter) {
  WindowData data;
  data.swing = 150_W;
  for (int i = 7; i <= 14; ++i) {  // the window is between the readings that end at 1.0 and 1.1 s
    const Seconds end = 100_ms * i, begin = end - 20_ms;
    const Watts mean{(joules(end, work) - joules(begin, work)) / 0.02};
    data.readings.push_back({at(begin), at(end), 0.5_ms, mean, 0.5_W});
  }
  for (int i = 35; counter && i <= 70; ++i)
    data.counter.push_back({at(20_ms * i), 0.5_ms, Joules{joules(20_ms * i, work)}});
  return data;
}

double power_of(const EnergyBetween& energy) { return (energy.energy / (kCloses - kOpens)).si(); }
double deviation_of(const EnergyBetween& energy) { return (root(energy.variance) / (kCloses - kOpens)).si(); }

TEST(WindowPosterior, TheCounterDecidesWhereNoReadingIsInside) {
  const auto energy = window_posterior(around(250_W, true), at(kOpens), at(kCloses));
  ASSERT_TRUE(energy);
  EXPECT_NEAR(power_of(*energy), 250, 2 * deviation_of(*energy));
  EXPECT_LT(deviation_of(*energy), 6);
}

TEST(WindowPosterior, WithoutACounterUnseenWorkIsUncertain) {
  const auto energy = window_posterior(around(250_W, false), at(kOpens), at(kCloses));
  ASSERT_TRUE(energy);
  EXPECT_GT(deviation_of(*energy), 50) << "no reading is inside";
  EXPECT_NEAR(power_of(*energy), 250, 3 * deviation_of(*energy));
}

TEST(WindowPosterior, ConstantPowerIsAsCertainAsItsReadings) {
  const auto energy = window_posterior(around(50_W, true), at(kOpens), at(kCloses));
  ASSERT_TRUE(energy);
  EXPECT_NEAR(power_of(*energy), 50, 0.5);
  EXPECT_LT(deviation_of(*energy), 0.5);
}

TEST(WindowPosterior, IsInTheUnitsOfItsData) {  // twice the power: twice the energy and its deviation
  WindowData data = around(250_W, true), twice = data;
  twice.swing = data.swing * 2;
  for (MeanPower& reading : twice.readings) reading.power *= 2, reading.noise *= 2;
  for (CounterPoint& point : twice.counter) point.counted *= 2;
  const auto once = window_posterior(data, at(kOpens), at(kCloses));
  const auto doubled = window_posterior(twice, at(kOpens), at(kCloses));
  EXPECT_NEAR(power_of(*doubled), 2 * power_of(*once), 0.05);
  EXPECT_NEAR(deviation_of(*doubled), 2 * deviation_of(*once), 0.05);
}

TEST(WindowPosterior, NeedsData) {
  EXPECT_FALSE(window_posterior({{}, {}, 100_W}, at(kOpens), at(kCloses)));
  EXPECT_FALSE(window_posterior(around(50_W, true), at(kOpens), at(kOpens)));
}

}  // namespace
}  // namespace ergon::meter
