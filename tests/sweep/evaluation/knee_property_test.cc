#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "sweep/evaluation/knee.h"
#include "sweep/evaluation/noise.h"

namespace ergon::sweep {
namespace {

RC_GTEST_PROP(KneeProperty, ScalesAndShiftsWithTheData, (std::uint64_t seed)) {
  const auto count = *rc::gen::inRange<std::size_t>(8, 60);
  const double x_scale = *rc::gen::inRange(1, 2000) / 100.0, y_scale = *rc::gen::inRange(1, 2000) / 100.0;
  const double x_shift = *rc::gen::inRange(-5000, 5000), y_shift = *rc::gen::inRange(-5000, 5000);
  Noise noise(seed);
  std::vector<double> x, y, moved_x, moved_y;
  double at = 100;
  for (std::size_t i = 0; i < count; ++i) {
    at += 1 + std::abs(noise() * noise());
    x.push_back(at);
    y.push_back(0.1 * at + std::max(0.0, at - 130) + noise());
    moved_x.push_back(x_shift + x_scale * x.back());
    moved_y.push_back(y_shift + y_scale * y.back());
  }
  const auto knee = find_knee(x, y), moved = find_knee(moved_x, moved_y);
  RC_ASSERT(knee.has_value() == moved.has_value());
  if (!knee) return;
  const double range = x_scale * (x.back() - x.front());
  const auto near = [](double a, double b, double unit) { return std::abs(a - b) < 1e-6 * unit; };
  RC_ASSERT(near(moved->at, x_shift + x_scale * knee->at, range));
  RC_ASSERT(near(moved->low, x_shift + x_scale * knee->low, range));
  RC_ASSERT(near(moved->high, x_shift + x_scale * knee->high, range));
  RC_ASSERT(near(moved->slope_above, y_scale / x_scale * knee->slope_above, y_scale / x_scale));
  RC_ASSERT(near(moved->slope_below, y_scale / x_scale * knee->slope_below, y_scale / x_scale));
}

RC_GTEST_PROP(KneeProperty, TheEstimateIsInItsInterval, (std::uint64_t seed)) {
  const auto count = *rc::gen::inRange<std::size_t>(6, 40);
  Noise noise(seed);
  std::vector<double> x, y;
  for (std::size_t i = 0; i < count; ++i) {
    x.push_back(static_cast<double>(i));
    y.push_back(std::max(0.0, x.back() - static_cast<double>(count) / 2) + 0.3 * noise());
  }
  const auto knee = find_knee(x, y);
  if (!knee) return;
  RC_ASSERT(knee->low <= knee->at && knee->at <= knee->high);
  RC_ASSERT(knee->low >= x[1] - 1e-9 && knee->high <= x[count - 2] + 1e-9);
  RC_ASSERT(knee->slope_above > knee->slope_below);
  RC_ASSERT(knee->p >= 0 && knee->p <= 0.05);
}

}  // namespace
}  // namespace ergon::sweep
