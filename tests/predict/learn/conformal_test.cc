#include "predict/learn/conformal.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "base/random.h"

namespace ergon::predict {
namespace {

std::vector<double> any_errors(Random& random, std::size_t count) {
  std::vector<double> errors(count);
  for (double& error : errors) error = random.uniform() * 2 - 1;
  return errors;
}

// The smallest width that holds enough errors, by exhaustive search.
double slow_width(const std::vector<double>& errors) {
  double lowest = std::numeric_limits<double>::infinity();
  for (const double candidate : errors) {
    const double width = std::abs(candidate);
    const auto within =
        std::count_if(errors.begin(), errors.end(), [&](double error) { return std::abs(error) <= width; });
    // At least 0.9 * (n + 1), in integers.
    if (10 * static_cast<std::size_t>(within) >= 9 * (errors.size() + 1)) lowest = std::min(lowest, width);
  }
  return lowest;
}

TEST(ConformalWidth, IsTheOrderStatisticOfNinetyPercent) {
  Random random(3);
  for (std::size_t count = 9; count < 250; ++count) {
    const auto errors = any_errors(random, count);
    EXPECT_EQ(conformal_width(errors), slow_width(errors)) << count;
  }
}

TEST(ConformalWidth, IsTheEighteenthOfNineteen) {
  std::vector<double> errors;
  for (int i = 1; i <= 19; ++i) errors.push_back(i % 2 == 0 ? i : -i);
  EXPECT_EQ(conformal_width(errors), 18);
}

TEST(ConformalWidth, OfFewErrorsIsWiderThanTheLargest) {
  Random random(4);
  double factor = 3;
  for (std::size_t count = 1; count < 9; ++count) {
    auto errors = any_errors(random, count);
    errors[0] = -1;
    EXPECT_GT(conformal_width(errors), 1) << count;
    // One more error that is not larger narrows the width.
    EXPECT_LE(conformal_width(errors), factor) << count;
    factor = conformal_width(errors);
  }
}

// A factor of 1.65: wider than the width of any group whose errors are within 40 %, and finite.
TEST(ConformalWidth, OfNoErrorsIsWide) {
  EXPECT_EQ(conformal_width({}), 0.5);
  EXPECT_GT(conformal_width({}), conformal_width(std::vector<double>(9, std::log(1.4))));
}

TEST(ConformalWidth, IgnoresOrderAndSign) {
  Random random(5);
  auto errors = any_errors(random, 40);
  const double width = conformal_width(errors);
  std::reverse(errors.begin(), errors.end());
  for (double& error : errors) error = -error;
  EXPECT_EQ(conformal_width(errors), width);
}

// Exchangeable errors: the next one is inside with a probability of 90 %.
TEST(ConformalWidth, CoversTheNextErrorWithNinetyPercent) {
  Random random(6);
  for (const std::size_t count : {19U, 49U, 99U}) {
    int within = 0;
    constexpr int kTrials = 4000;
    for (int i = 0; i < kTrials; ++i) {
      const auto errors = any_errors(random, count + 1);
      if (std::abs(errors.back()) <= conformal_width(std::span(errors).first(count))) ++within;
    }
    EXPECT_NEAR(static_cast<double>(within) / kTrials, 0.9, 0.015) << count;
  }
}

HeldOutNetwork held_out(bool host_bound, double time_error, double power_error, bool with_power = true) {
  HeldOutNetwork each;
  each.host_bound = host_bound;
  each.measured = Seconds{2};
  each.predicted = each.measured * std::exp(time_error);
  if (with_power) {
    each.measured_power = Watts{100};
    each.predicted_power = *each.measured_power * std::exp(power_error);
  }
  return each;
}

TEST(WidthsOf, SeparatesGpuBoundFromHostBound) {
  std::vector<HeldOutNetwork> all;
  for (int i = 0; i < 30; ++i) all.push_back(held_out(false, 0.05, -0.02));
  for (int i = 0; i < 30; ++i) all.push_back(held_out(true, -0.4, 0.2));
  const WidthPair widths = widths_of(all).at(LaunchHost::python);
  EXPECT_NEAR(widths.gpu_bound.time, 0.05, 1e-12);
  EXPECT_NEAR(widths.gpu_bound.power, 0.02, 1e-12);
  EXPECT_NEAR(widths.gpu_bound.energy, 0.03, 1e-12);
  EXPECT_NEAR(widths.host_bound.time, 0.4, 1e-12);
  EXPECT_NEAR(widths.host_bound.power, 0.2, 1e-12);
  EXPECT_NEAR(widths.host_bound.energy, 0.2, 1e-12);
}

TEST(WidthsOf, SmallGroupsUseAllErrors) {
  std::vector<HeldOutNetwork> all;
  for (int i = 0; i < 30; ++i) all.push_back(held_out(false, 0.05, 0.05));
  for (int i = 0; i < 3; ++i) all.push_back(held_out(true, 0.01, 0.01));
  EXPECT_NEAR(widths_of(all).at(LaunchHost::python).host_bound.time, 0.05, 1e-12);
}

TEST(WidthsOf, SmallGroupsKeepTheirLargeErrors) {
  std::vector<HeldOutNetwork> all;
  for (int i = 0; i < 300; ++i) all.push_back(held_out(false, 0.05, 0.05));
  all.push_back(held_out(true, 0.2, 0.2));
  all.push_back(held_out(true, -0.3, 0.2));
  const WidthPair widths = widths_of(all).at(LaunchHost::python);
  EXPECT_GT(widths.host_bound.time, 0.3);
  EXPECT_NEAR(widths.gpu_bound.time, 0.05, 1e-12);
}

TEST(WidthsOf, RowsWithoutPowerDoNotChangePowerAndEnergy) {
  std::vector<HeldOutNetwork> all;
  for (int i = 0; i < 30; ++i) all.push_back(held_out(false, 0.05, 0.05));
  for (int i = 0; i < 30; ++i) all.push_back(held_out(false, 0.5, 0, false));
  const IntervalWidths gpu_bound = widths_of(all).at(LaunchHost::python).gpu_bound;
  EXPECT_NEAR(gpu_bound.time, 0.5, 1e-12);
  EXPECT_NEAR(gpu_bound.power, 0.05, 1e-12);
  EXPECT_NEAR(gpu_bound.energy, 0.1, 1e-12);
}

TEST(WidthsOf, ValuesThatWereNeverMeasuredAreWide) {
  std::vector<HeldOutNetwork> all;
  for (int i = 0; i < 30; ++i) all.push_back(held_out(false, 0.05, 0, false));
  const WidthPair widths = widths_of(all).at(LaunchHost::python);
  for (const IntervalWidths& each : {widths.gpu_bound, widths.host_bound}) {
    EXPECT_NEAR(each.time, 0.05, 1e-12);
    EXPECT_EQ(each.power, conformal_width({}));
    EXPECT_EQ(each.energy, conformal_width({}));
  }
}

TEST(WidthsOf, SeparatesLaunchHosts) {
  std::vector<HeldOutNetwork> all;
  for (int i = 0; i < 30; ++i) {
    all.push_back(held_out(true, 0.3, 0.1));
    all.push_back(held_out(true, 0.1, 0.1));
    all.back().config.host = LaunchHost::native;
  }
  EXPECT_NEAR(widths_of(all).at(LaunchHost::python).host_bound.time, 0.3, 1e-12);
  EXPECT_NEAR(widths_of(all).at(LaunchHost::native).host_bound.time, 0.1, 1e-12);
}

TEST(ScoresOf, NamesLaunchHostsIfThereAreSeveral) {
  std::vector<HeldOutNetwork> all{held_out(false, 0.1, 0.1)};
  ASSERT_EQ(scores_of(all).size(), 3U);
  EXPECT_EQ(scores_of(all)[0].what, "networks, inference, time");
  all.push_back(held_out(false, std::log(1.2), 0, false));
  all.back().config.host = LaunchHost::native;
  const auto scores = scores_of(all);
  ASSERT_EQ(scores.size(), 4U) << "no score for power that was not measured";
  EXPECT_EQ(scores[0].what, "networks, inference, python host, time");
  EXPECT_EQ(scores[3].what, "networks, inference, native host, time");
  EXPECT_NEAR(scores[3].mape, 0.2, 1e-12);
}

TEST(HeldOutNetwork, ErrorsAreRelativeToTheMeasurement) {
  const HeldOutNetwork each = held_out(false, std::log(1.1), std::log(0.8));
  EXPECT_NEAR(each.time_error(), 0.1, 1e-12);
  EXPECT_NEAR(each.power_error(), -0.2, 1e-12);
  EXPECT_NEAR(each.energy_error(), 0.88 - 1, 1e-12);
}

}  // namespace
}  // namespace ergon::predict
