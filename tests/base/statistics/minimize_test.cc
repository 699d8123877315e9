#include "base/statistics/minimize.h"

#include <cmath>

#include <gtest/gtest.h>

namespace ergon::statistics {
namespace {

double rosenbrock(std::span<const double> x) {
  return 100 * std::pow(x[1] - x[0] * x[0], 2) + std::pow(1 - x[0], 2);
}

// A narrow valley along x = y.
double diagonal_valley(std::span<const double> x) {
  return 1000 * std::pow(x[0] - x[1], 2) + std::pow(x[0] + x[1] - 2, 2);
}

const std::vector<SearchRange> kSquare{{-2, 2}, {-2, 2}};

TEST(Minimize, FindsTheBottomOfACurvedValley) {
  const Minimum found =
      minimize(rosenbrock, {-1.2, 1}, {.ranges = kSquare, .last_step = 1e-6, .diagonal = true});
  EXPECT_NEAR(found.at[0], 1, 1e-3);
  EXPECT_NEAR(found.at[1], 1, 1e-3);
  EXPECT_LT(found.value, 1e-6);
  EXPECT_EQ(found.value, rosenbrock(found.at));
}

TEST(Minimize, UnboundedStepsAreAbsolute) {
  const auto far = [](std::span<const double> x) { return std::abs(x[0] - 40) + std::abs(x[1] + 7.25); };
  const Minimum found = minimize(far, {0, 0}, {});
  EXPECT_NEAR(found.at[0], 40, 0.0025);
  EXPECT_NEAR(found.at[1], -7.25, 0.0025);
}

TEST(Minimize, TheLastStepIsTheResolution) {
  const auto distance = [](std::span<const double> x) { return std::abs(x[0] - 1.0 / 3); };
  const double coarse = minimize(distance, {0}, {.first_step = 1, .last_step = 0.1}).value;
  const double fine = minimize(distance, {0}, {.first_step = 1, .last_step = 1e-6}).value;
  EXPECT_NEAR(coarse, 0.375 - 1.0 / 3, 1e-12);  // 1/2, 1/4, 3/8
  EXPECT_LT(fine, 1e-6);
}

TEST(Minimize, DiagonalStepsFollowAValleyThatIsNotParallelToAnAxis) {
  const auto steps = [](bool diagonal) {
    return minimize(diagonal_valley, {-1.5, -1.5}, {.last_step = 0.01, .diagonal = diagonal});
  };
  EXPECT_LT(steps(true).value, 1e-3);
  EXPECT_GT(steps(false).value, 1);
}

TEST(Minimize, StaysWithinItsRanges) {
  const std::vector<SearchRange> ranges{{-2, 0.5}, {-2, 2}};
  int outside = 0;
  const auto checked = [&](std::span<const double> x) {
    if (x[0] < -2 || x[0] > 0.5 || x[1] < -2 || x[1] > 2) ++outside;
    return rosenbrock(x);
  };
  const Minimum found = minimize(checked, {-1.2, 1}, {.ranges = ranges, .last_step = 1e-5, .diagonal = true});
  EXPECT_EQ(outside, 0);
  EXPECT_NEAR(found.at[0], 0.5, 1e-3);
  EXPECT_NEAR(found.at[1], 0.25, 1e-2);
}

TEST(Minimize, AvoidsNaN) {
  const auto undefined_below_0 = [](std::span<const double> x) {
    return x[0] < 0 ? std::nan("") : std::fabs(x[0] - 1);
  };
  const MinimizeOptions options{.ranges = {{-3, 3}}, .last_step = 1e-4};
  EXPECT_NEAR(minimize(undefined_below_0, {2}, options).at[0], 1, 1e-3);
  EXPECT_NEAR(minimize(undefined_below_0, {-1}, options).at[0], 1, 1e-3);
}

TEST(Minimize, StopsAfterTheGivenEvaluations) {
  for (const int most : {1, 7, 100}) {
    int calls = 0;
    double lowest = HUGE_VAL;
    const auto counted = [&](std::span<const double> x) {
      ++calls;
      lowest = std::min(lowest, rosenbrock(x));
      return rosenbrock(x);
    };
    const Minimum found =
        minimize(counted, {-1.2, 1}, {.ranges = kSquare, .last_step = 1e-9, .max_evaluations = most});
    EXPECT_EQ(calls, most);
    EXPECT_EQ(found.value, lowest);
  }
}

TEST(Minimize, StopsWhenRequested) {
  std::stop_source stop;
  int calls = 0;
  const auto counted = [&](std::span<const double> x) {
    if (++calls == 20) stop.request_stop();
    return rosenbrock(x);
  };
  minimize(counted, {-1.2, 1}, {.ranges = kSquare, .last_step = 1e-9, .stop = stop.get_token()});
  EXPECT_EQ(calls, 20);
}

TEST(MinimizeDeathTest, RangesMustMatchTheVariables) {
  EXPECT_DEATH((void)minimize(rosenbrock, {0, 0}, {.ranges = {{0, 1}}}), "broken contract");
}

}  // namespace
}  // namespace ergon::statistics
