#include "calibrate/simplex.h"

#include <cmath>

#include <gtest/gtest.h>

namespace ergon::calibrate {
namespace {

double rosenbrock(std::span<const double> x) {
  return 100 * std::pow(x[1] - x[0] * x[0], 2) + std::pow(1 - x[0], 2);
}

TEST(Simplex, FindsTheBottomOfACurvedValley) {
  const std::vector<SearchRange> ranges{{-2, 2}, {-2, 2}};
  const Minimum found = minimize(rosenbrock, {-1.2, 1}, ranges, 4000);
  EXPECT_NEAR(found.at[0], 1, 1e-3);
  EXPECT_NEAR(found.at[1], 1, 1e-3);
  EXPECT_LT(found.value, 1e-6);
}

TEST(Simplex, StaysWithinItsRanges) {
  const std::vector<SearchRange> ranges{{-2, 0.5}, {-2, 2}};
  int outside = 0;
  const auto watched = [&](std::span<const double> x) {
    if (x[0] < -2 || x[0] > 0.5 || x[1] < -2 || x[1] > 2) ++outside;
    return rosenbrock(x);
  };
  const Minimum found = minimize(watched, {-1.2, 1}, ranges, 2000);
  EXPECT_EQ(outside, 0);
  EXPECT_NEAR(found.at[0], 0.5, 1e-3);
  EXPECT_NEAR(found.at[1], 0.25, 1e-2);
}

TEST(Simplex, AvoidsNaN) {
  const std::vector<SearchRange> ranges{{-3, 3}};
  const auto broken = [](std::span<const double> x) { return x[0] < 0 ? std::nan("") : std::fabs(x[0] - 1); };
  EXPECT_NEAR(minimize(broken, {2}, ranges, 500).at[0], 1, 1e-3);
}

TEST(Simplex, StopsWhenRequested) {
  std::stop_source stop;
  int calls = 0;
  const auto counted = [&](std::span<const double> x) {
    if (++calls == 20) stop.request_stop();
    return rosenbrock(x);
  };
  const std::vector<SearchRange> ranges{{-2, 2}, {-2, 2}};
  minimize(counted, {-1.2, 1}, ranges, 100000, stop.get_token());
  EXPECT_LT(calls, 60);
}

}  // namespace
}  // namespace ergon::calibrate
