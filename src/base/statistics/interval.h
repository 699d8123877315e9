#pragma once

namespace ergon::statistics {

// An estimate and its confidence interval.
struct Interval {
  double estimate = 0;
  double low = 0;
  double high = 0;
};

// Half width of a 95 % interval of a normal distribution, in standard deviations.
inline constexpr double kInterval95 = 1.96;

}  // namespace ergon::statistics
