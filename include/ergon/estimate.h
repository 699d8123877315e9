#pragma once

// A value with its uncertainty.

#include "ergon/units.h"

namespace ergon {

// A value and its interval. Each use says which: 95 % for measurements, 90 % for predictions.
template <typename Q>
struct Estimate {
  Q value, low, high;
};

}  // namespace ergon
