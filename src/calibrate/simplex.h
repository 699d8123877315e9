#pragma once

#include <functional>
#include <span>
#include <stop_token>
#include <vector>

namespace ergon::calibrate {

struct SearchRange {
  double min = 0, max = 1;
};

struct Minimum {
  std::vector<double> at;
  double value = 0;
};

// A local minimum of a function of a few variables within ranges, by the Nelder-Mead simplex method with
// restarts. Needs no derivatives. Returns the best point so far when stopped.
Minimum minimize(const std::function<double(std::span<const double>)>& function, std::vector<double> start,
                 std::span<const SearchRange> ranges, int evaluations, const std::stop_token& stop = {});

}  // namespace ergon::calibrate
