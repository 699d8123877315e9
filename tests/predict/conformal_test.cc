#include "predict/conformal.h"

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

// The least of the errors that so many are within.
double slow_width(const std::vector<double>& errors) {
  double least = std::numeric_limits<double>::infinity();
  for (const double candidate : errors) {
    const double width = std::abs(candidate);
    const auto within =
        std::count_if(errors.begin(), errors.end(), [&](double error) { return std::abs(error) <= width; });
    // Nine tenths of one more than there are, in whole numbers.
    if (10 * static_cast<std::size_t>(within) >= 9 * (errors.size() + 1)) least = std::min(least, width);
  }
  return least;
}

TEST(ConformalWidth, IsTheOrderStatisticForNineOfTen) {
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
    // One more that is no larger makes it narrower.
    EXPECT_LE(conformal_width(errors), factor) << count;
    factor = conformal_width(errors);
  }
}

TEST(ConformalWidth, OfNoErrorsIsWide) { EXPECT_GE(conformal_width({}), 0.3); }

TEST(ConformalWidth, DoesNotMindTheOrderOrTheSign) {
  Random random(5);
  auto errors = any_errors(random, 40);
  const double width = conformal_width(errors);
  std::reverse(errors.begin(), errors.end());
  for (double& error : errors) error = -error;
  EXPECT_EQ(conformal_width(errors), width);
}

// What it is for: the next error of the same sort is within nine times out of ten.
TEST(ConformalWidth, HoldsTheNextErrorNineTimesOutOfTen) {
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

HeldBack held_back(bool waits, double time_error, double power_error, bool with_power = true) {
  HeldBack each;
  each.waits = waits;
  each.measured = Seconds{2};
  each.predicted = each.measured * std::exp(time_error);
  if (with_power) {
    each.measured_power = Watts{100};
    each.predicted_power = *each.measured_power * std::exp(power_error);
  }
  return each;
}

TEST(WidthsOf, TellsBusyFromWaitingWhereThereAreEnough) {
  std::vector<HeldBack> all;
  for (int i = 0; i < 30; ++i) all.push_back(held_back(false, 0.05, -0.02));
  for (int i = 0; i < 30; ++i) all.push_back(held_back(true, -0.4, 0.2));
  const WidthPair widths = widths_of(all).at(Host::python);
  EXPECT_NEAR(widths.busy.time, 0.05, 1e-12);
  EXPECT_NEAR(widths.busy.power, 0.02, 1e-12);
  EXPECT_NEAR(widths.busy.energy, 0.03, 1e-12);
  EXPECT_NEAR(widths.waiting.time, 0.4, 1e-12);
  EXPECT_NEAR(widths.waiting.power, 0.2, 1e-12);
  EXPECT_NEAR(widths.waiting.energy, 0.2, 1e-12);
}

TEST(WidthsOf, FewOfASortAreJudgedWithTheOthers) {
  std::vector<HeldBack> all;
  for (int i = 0; i < 30; ++i) all.push_back(held_back(false, 0.05, 0.05));
  for (int i = 0; i < 3; ++i) all.push_back(held_back(true, 0.01, 0.01));
  EXPECT_NEAR(widths_of(all).at(Host::python).waiting.time, 0.05, 1e-12);
}

TEST(WidthsOf, FewThatAreFarOffAreNotHiddenByTheOthers) {
  std::vector<HeldBack> all;
  for (int i = 0; i < 300; ++i) all.push_back(held_back(false, 0.05, 0.05));
  all.push_back(held_back(true, 0.2, 0.2));
  all.push_back(held_back(true, -0.3, 0.2));
  const WidthPair widths = widths_of(all).at(Host::python);
  EXPECT_GT(widths.waiting.time, 0.3);
  EXPECT_NEAR(widths.busy.time, 0.05, 1e-12);
}

TEST(WidthsOf, RowsWithoutPowerSayNothingOfPowerAndEnergy) {
  std::vector<HeldBack> all;
  for (int i = 0; i < 30; ++i) all.push_back(held_back(false, 0.05, 0.05));
  for (int i = 0; i < 30; ++i) all.push_back(held_back(false, 0.5, 0, false));
  const Widths busy = widths_of(all).at(Host::python).busy;
  EXPECT_NEAR(busy.time, 0.5, 1e-12);
  EXPECT_NEAR(busy.power, 0.05, 1e-12);
  EXPECT_NEAR(busy.energy, 0.1, 1e-12);
}

TEST(WidthsOf, ASlowHostDoesNotWidenWhatAnotherOneRuns) {
  std::vector<HeldBack> all;
  for (int i = 0; i < 30; ++i) {
    all.push_back(held_back(true, 0.3, 0.1));
    all.push_back(held_back(true, 0.1, 0.1));
    all.back().condition.host = Host::native;
  }
  EXPECT_NEAR(widths_of(all).at(Host::python).waiting.time, 0.3, 1e-12);
  EXPECT_NEAR(widths_of(all).at(Host::native).waiting.time, 0.1, 1e-12);
}

TEST(ScoresOf, NamesHostsWhereThereAreSeveral) {
  std::vector<HeldBack> all{held_back(false, 0.1, 0.1)};
  ASSERT_EQ(scores_of(all).size(), 3U);
  EXPECT_EQ(scores_of(all)[0].what, "networks, inference, time");
  all.push_back(held_back(false, std::log(1.2), 0, false));
  all.back().condition.host = Host::native;
  const auto scores = scores_of(all);
  ASSERT_EQ(scores.size(), 4U) << "nothing is said of power that nobody measured";
  EXPECT_EQ(scores[0].what, "networks, inference, python host, time");
  EXPECT_EQ(scores[3].what, "networks, inference, native host, time");
  EXPECT_NEAR(scores[3].mape, 0.2, 1e-12);
}

TEST(HeldBack, ErrorsAreRelativeToWhatWasMeasured) {
  const HeldBack each = held_back(false, std::log(1.1), std::log(0.8));
  EXPECT_NEAR(each.time_error(), 0.1, 1e-12);
  EXPECT_NEAR(each.power_error(), -0.2, 1e-12);
  EXPECT_NEAR(each.energy_error(), 0.88 - 1, 1e-12);
}

}  // namespace
}  // namespace ergon::predict
