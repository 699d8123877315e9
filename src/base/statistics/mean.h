#pragma once

#include <span>

#include "base/contract.h"

namespace ergon::statistics {

// The mean, taken around the first value: exactly that value when all are equal, so that "does not vary" can
// be told.
inline double mean_of(std::span<const double> values) {
  ERGON_EXPECTS(!values.empty());
  double apart = 0;
  for (const double value : values) apart += value - values[0];
  return values[0] + apart / static_cast<double>(values.size());
}

}  // namespace ergon::statistics
