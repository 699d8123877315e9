#pragma once

#include <vector>

#include "calibrate/measured.h"
#include "device/twin/specification.h"

namespace ergon::calibrate {

// Predicted time and power of an application at one clock of a sweep, from its measurement at the anchor
// clock.
struct AnchoredPrediction {
  double time = 1;  // relative to the anchor
  Watts power;
};

// One prediction per point. `anchor` is the index of the measured point: its power and its multiprocessor and
// memory activity are used.
std::vector<AnchoredPrediction> anchored(const Application& application, std::size_t anchor,
                                         const device::Specification& gpu);

// The point nearest to two thirds of the range from the lowest to the highest clock.
std::size_t default_anchor(const Application& application, const device::Specification& gpu);

}  // namespace ergon::calibrate
