#include "device/twin/sensor.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include <gtest/gtest.h>

#include "base/statistics/moments.h"

namespace ergon::device {
namespace {

using namespace ergon::literals;

SensorModel model(Seconds period, Seconds window) { return {"usage", period, window, 1, 0_W, 0_W}; }

// Feeds the sensor with the energy of a power trace that is 0 before time 0.
void show(Sensor& sensor, Seconds until, const std::function<Joules(Seconds)>& energy_by) {
  while (sensor.due() - Instant{} <= until) sensor.add_energy(energy_by(sensor.due() - Instant{}));
}

// 0 W, and 100 W from `begin` to `end`.
std::function<Joules(Seconds)> pulse(Seconds begin, Seconds end) {
  return [begin, end](Seconds t) { return 100_W * (std::clamp(t, begin, end) - begin); };
}

TEST(Sensor, StartsWithThePowerBefore) { EXPECT_EQ(Sensor(model(100_ms, 1_s), 80_W, 1).reading(), 80_W); }

TEST(Sensor, ReadsConstantPowerExactly) {
  for (const Seconds window : {10_ms, 25_ms, 100_ms, 130_ms, 1_s}) {
    Sensor sensor(model(100_ms, window), 80_W, 1);
    for (int i = 0; i < 40; ++i) {
      sensor.add_energy(80_W * (sensor.due() - Instant{}));
      EXPECT_NEAR(sensor.reading().si(), 80, 1e-9);
    }
  }
}

TEST(Sensor, RunningMeanRampsAfterAStep) {
  Sensor sensor(model(100_ms, 1_s), 0_W, 1);
  for (int update = 1; update <= 12; ++update) {
    show(sensor, 100_ms * update, pulse(0_s, 1000_s));
    EXPECT_NEAR(sensor.reading().si(), std::min(100.0, 10.0 * update), 1e-9);
  }
}

TEST(Sensor, WindowsNeedNotBeMultiplesOfThePeriod) {
  Sensor sensor(model(100_ms, 250_ms), 0_W, 1);
  show(sensor, 400_ms, pulse(200_ms, 1000_s));
  EXPECT_NEAR(sensor.reading().si(), 80, 1e-9);  // the window of 150 to 400 ms
}

TEST(Sensor, MeasuresOnlyTheEndOfAPeriodIfTheWindowIsShorter) {
  Sensor unseen(model(100_ms, 25_ms), 0_W, 1);
  show(unseen, 200_ms, pulse(100_ms, 175_ms));
  EXPECT_EQ(unseen.reading(), 0_W);
  Sensor seen(model(100_ms, 25_ms), 0_W, 1);
  show(seen, 200_ms, pulse(175_ms, 200_ms));
  EXPECT_NEAR(seen.reading().si(), 100, 1e-9);
}

TEST(Sensor, IsConstantBetweenUpdates) {
  Sensor sensor(model(100_ms, 25_ms), 0_W, 1);
  show(sensor, 199_ms, pulse(100_ms, 1000_s));
  EXPECT_EQ(sensor.reading(), 0_W);
  EXPECT_EQ(sensor.due(), Instant{200'000'000});
  show(sensor, 200_ms, pulse(100_ms, 1000_s));
  EXPECT_NEAR(sensor.reading().si(), 100, 1e-9);
}

TEST(Sensor, GainAndOffset) {
  SensorModel biased = model(100_ms, 25_ms);
  biased.gain = 0.95;
  biased.offset = -2_W;
  EXPECT_NEAR(Sensor(biased, 200_W, 1).reading().si(), 0.95 * 200 - 2, 1e-9);
  EXPECT_EQ(Sensor(biased, 1_W, 1).reading(), 0_W);
}

TEST(Sensor, NoiseIsGaussianAndFollowsTheSeed) {
  SensorModel noisy = model(100_ms, 100_ms);
  noisy.noise = 2_W;
  const auto readings = [&](std::uint64_t seed) {
    std::vector<Watts> all;
    Sensor sensor(noisy, 500_W, seed);
    for (int i = 0; i < 20000; ++i) {
      sensor.add_energy(500_W * (sensor.due() - Instant{}));
      all.push_back(sensor.reading());
    }
    return all;
  };
  const auto drawn = readings(7);
  statistics::Moments moments;
  int within_one = 0;
  for (const Watts reading : drawn) {
    moments.add(reading.si());
    within_one += std::abs(reading.si() - 500) < 2 ? 1 : 0;
  }
  EXPECT_NEAR(*moments.mean(), 500, 0.06);
  EXPECT_NEAR(std::sqrt(*moments.variance()), 2, 0.05);
  EXPECT_NEAR(within_one / 20000.0, 0.6827, 0.015);
  EXPECT_EQ(drawn, readings(7));
  EXPECT_NE(drawn, readings(8));
}

}  // namespace
}  // namespace ergon::device
