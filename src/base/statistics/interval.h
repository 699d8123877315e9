#pragma once

namespace ergon::statistics {

// A number and the range in which it lies with some confidence.
struct Interval {
  double estimate = 0;
  double low = 0;
  double high = 0;
};

// Standard deviations to either side of a mean that hold 95 % of a normal distribution.
inline constexpr double kInterval95 = 1.96;

}  // namespace ergon::statistics
