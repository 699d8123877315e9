#pragma once

#include <cstddef>

#include "allocate/setting.h"
#include "base/result.h"
#include "base/units.h"

namespace ergon::allocate {

// What a run-time drives: an accelerator that runs one layer after the other, at the clock and bandwidth it
// is told.
class Plant {
 public:
  virtual ~Plant() = default;
  // Changes the clock if it has to, runs the layer, and says how long both took.
  virtual Result<Seconds> run(std::size_t layer, const Setting& setting) = 0;
  // After the last layer: back to the highest clock, and how long that took.
  virtual Result<Seconds> finish() = 0;
};

}  // namespace ergon::allocate
