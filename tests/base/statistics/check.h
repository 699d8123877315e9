#pragma once

#include <cmath>

#include <gtest/gtest.h>

namespace ergon::statistics {

// Whether two numbers agree to within a share of the expected one.
inline testing::AssertionResult agrees(double actual, double expected, double relative) {
  if (actual == expected || std::abs(actual - expected) <= relative * std::abs(expected)) {
    return testing::AssertionSuccess();
  }
  return testing::AssertionFailure() << testing::PrintToString(actual) << " instead of "
                                     << testing::PrintToString(expected) << ", off by "
                                     << (actual - expected) / expected << " of it, allowed " << relative;
}

}  // namespace ergon::statistics
