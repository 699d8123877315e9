#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/statistics/loess.h"

namespace ergon::report {

struct PlotOptions {
  int columns = 72;
  int rows = 18;
  std::string x_title;
  std::string y_title;
};

// Scatter plot with a fitted curve and its confidence band, in ASCII:
// '.' one point, ':' several points, '#' the curve, '-' the limits of the band. Contract: x is not empty and
// as long as y.
std::string scatter_plot(std::span<const double> x, std::span<const double> y,
                         std::span<const statistics::LoessPoint> curve, const PlotOptions& options);

}  // namespace ergon::report
