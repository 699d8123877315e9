// Filter of the thesis, equations 3.1 to 3.3, with hand-computed values.

#include "meter/steady_power.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace ergon::meter {
namespace {

using namespace ergon::literals;

std::vector<Watts> watts(const std::vector<double>& values) {
  std::vector<Watts> all;
  for (const double value : values) all.emplace_back(value);
  return all;
}

TEST(SteadyPower, UsesTheSampleMeanAndDeviation) {  // 3.1 and 3.2
  const SteadyPower power = steady_power(watts({100, 102, 104, 110}));
  EXPECT_DOUBLE_EQ(power.mean.si(), 104);
  EXPECT_NEAR(power.spread.si(), std::sqrt((16 + 4 + 0 + 36) / 3.0), 1e-12);
  EXPECT_EQ(power.kept, 4U);
  EXPECT_EQ(power.dropped, 0U);
}

TEST(SteadyPower, TheLogOfTheThesis) {
  const SteadyPower power = steady_power(watts({145.99, 182.11, 182.11, 182.11, 178.50, 178.50, 178.50}));
  EXPECT_NEAR(power.mean.si(), 1227.82 / 7, 1e-9);
  EXPECT_NEAR(power.spread.si(), 13.0948485, 1e-6);
  EXPECT_EQ(power.dropped, 0U);
}

TEST(SteadyPower, AReadingBeyondThreeDeviationsIsExcluded) {  // 3.3
  // One outlier of eleven is 10 / sqrt(11) = 3.015 deviations from the mean; of ten, 2.846.
  std::vector<double> readings(10, 100.0);
  readings.push_back(200);
  const SteadyPower eleven = steady_power(watts(readings));
  EXPECT_EQ(eleven.dropped, 1U);
  EXPECT_EQ(eleven.kept, 10U);
  EXPECT_DOUBLE_EQ(eleven.mean.si(), 100);
  EXPECT_DOUBLE_EQ(eleven.spread.si(), 0);

  readings.erase(readings.begin());
  const SteadyPower ten = steady_power(watts(readings));
  EXPECT_EQ(ten.dropped, 0U);
  EXPECT_DOUBLE_EQ(ten.mean.si(), 110);
  EXPECT_NEAR(ten.spread.si(), std::sqrt(1000.0), 1e-9);
}

TEST(SteadyPower, BothEndsAreFiltered) {
  std::vector<double> readings;
  for (int i = 0; i < 50; ++i) readings.push_back(i % 2 == 0 ? 199 : 201);
  readings.insert(readings.begin(), 20);
  readings.push_back(380);
  const SteadyPower power = steady_power(watts(readings));
  EXPECT_EQ(power.dropped, 2U);
  EXPECT_NEAR(power.mean.si(), 200, 1e-9);
  EXPECT_NEAR(power.spread.si(), std::sqrt(50.0 / 49), 1e-9);
}

TEST(SteadyPower, TheFilterIsAppliedOnce) {
  // The far outlier dominates the deviation. The near one stays, although it is far from the rest once the
  // far one is excluded.
  std::vector<double> readings(40, 100.0);
  readings.push_back(120);
  readings.push_back(1000);
  const SteadyPower power = steady_power(watts(readings));
  EXPECT_EQ(power.dropped, 1U);
  EXPECT_NEAR(power.mean.si(), 4120.0 / 41, 1e-9);
}

TEST(SteadyPower, FewReadingsAreNotFiltered) {
  const SteadyPower none = steady_power({});
  EXPECT_EQ(none.mean, 0_W);
  EXPECT_EQ(none.spread, 0_W);
  EXPECT_EQ(none.kept + none.dropped, 0U);

  const SteadyPower one = steady_power(watts({123}));
  EXPECT_EQ(one.mean, 123_W);
  EXPECT_EQ(one.spread, 0_W);
  EXPECT_EQ(one.kept, 1U);

  const SteadyPower alike = steady_power(watts({0.1, 0.1, 0.1, 0.1, 0.1}));
  EXPECT_DOUBLE_EQ(alike.mean.si(), 0.1);
  EXPECT_EQ(alike.kept, 5U);
  EXPECT_EQ(alike.dropped, 0U);
}

}  // namespace
}  // namespace ergon::meter
