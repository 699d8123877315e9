#pragma once

#include <functional>
#include <limits>
#include <span>
#include <stop_token>
#include <vector>

namespace ergon::statistics {

struct SearchRange {
  double min = 0, max = 1;
};

struct Minimum {
  std::vector<double> at;
  double value = 0;
};

struct MinimizeOptions {
  // One per variable; steps are relative to their widths. Empty: unbounded, steps are absolute.
  std::vector<SearchRange> ranges = {};
  double first_step = 0.32, last_step = 0.002;  // the step is halved until it is at most `last_step`
  // Also steps along two axes at once, for valleys that are not parallel to an axis. The number of steps
  // grows with the square of the number of variables.
  bool diagonal = false;
  int max_evaluations = std::numeric_limits<int>::max();
  std::stop_token stop = {};
};

// A local minimum of a function of a few variables by pattern search. Needs no derivatives; values that are
// not finite are avoided. Returns the best point so far when stopped. Contract: at least one variable;
// `start` is within the ranges.
Minimum minimize(const std::function<double(std::span<const double>)>& function, std::vector<double> start,
                 const MinimizeOptions& options);

}  // namespace ergon::statistics
