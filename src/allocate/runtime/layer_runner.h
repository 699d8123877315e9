#pragma once

#include <cstddef>

#include "allocate/layer_setting.h"
#include "base/result.h"
#include "base/units.h"

namespace ergon::allocate {

// An accelerator that runs one layer at a time at a given clock and bandwidth.
class LayerRunner {
 public:
  virtual ~LayerRunner() = default;
  // Switches the clock if needed and runs the layer. Returns the total duration.
  virtual Result<Seconds> run(std::size_t layer, const LayerSetting& setting) = 0;
  // Returns to the highest clock after the last layer. Returns the duration.
  virtual Result<Seconds> finish() = 0;
};

}  // namespace ergon::allocate
