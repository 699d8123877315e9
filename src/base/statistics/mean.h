#pragma once

#include <span>

#include "base/contract.h"

namespace ergon::statistics {

// The mean, computed relative to the first value: it is exactly that value when all are equal, so that
// constant data can be detected.
inline double mean_of(std::span<const double> values) {
  ERGON_EXPECTS(!values.empty());
  double apart = 0;
  for (const double value : values) apart += value - values[0];
  return values[0] + apart / static_cast<double>(values.size());
}

}  // namespace ergon::statistics
