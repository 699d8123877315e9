#pragma once

#include <functional>
#include <span>
#include <stop_token>
#include <vector>

namespace ergon::calibrate {

struct Range {
  double least = 0, most = 1;
};

struct Minimum {
  std::vector<double> at;
  double value = 0;
};

// The lowest value of a function of a few numbers within ranges, from a start, by Nelder and Mead's simplex
// with restarts. It needs no derivative, and takes what it finds: a local minimum. Stopped, it gives the best
// so far.
Minimum minimise(const std::function<double(std::span<const double>)>& function, std::vector<double> start,
                 std::span<const Range> ranges, int evaluations, const std::stop_token& stop = {});

}  // namespace ergon::calibrate
