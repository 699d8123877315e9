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

// A scatter of points with a fitted curve and its confidence band, drawn in letters:
// '.' one point, ':' several, '#' the curve, '-' the edges of the band.
std::string scatter_plot(std::span<const double> x, std::span<const double> y,
                         std::span<const statistics::LoessPoint> curve, const PlotOptions& options);

}  // namespace ergon::report
