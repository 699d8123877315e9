#pragma once

namespace ergon::statistics {

// A number and the range in which it lies with some confidence.
struct Interval {
  double estimate = 0;
  double low = 0;
  double high = 0;
};

}  // namespace ergon::statistics
