#pragma once

#include <map>
#include <span>

#include "predict/learn/held_out.h"

namespace ergon::predict {

// Half width of a 90 % interval from held-out errors (logarithms), by split conformal prediction with the
// correction for small samples. With fewer than nine errors: the largest, times a factor. Without errors:
// 0.5.
double conformal_width(std::span<const double> errors);

// Interval widths from held-out networks, by launch host. A host-bound or GPU-bound group that is too small
// gets the wider of its own width and the width of all networks.
std::map<LaunchHost, WidthPair> widths_of(std::span<const HeldOutNetwork> held_out);

}  // namespace ergon::predict
