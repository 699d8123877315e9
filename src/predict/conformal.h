#pragma once

#include <map>
#include <span>

#include "predict/held_back.h"

namespace ergon::predict {

// The width that nine of ten errors (logarithms) stay within, with the correction for few of them: at most
// the largest, times a factor where there are less than ten.
double conformal_width(std::span<const double> errors);

// Widths from networks that were held back, by their host. Of few that wait, or few that do not, the wider of
// their own and everybody's.
std::map<Host, WidthPair> widths_of(std::span<const HeldBack> held_back);

}  // namespace ergon::predict
