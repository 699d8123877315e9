#pragma once

#include <algorithm>
#include <vector>

namespace ergon::meter {

// Numbers are SI: seconds and watts.

struct TimeSpan {
  double begin = 0, end = 0;

  double length() const { return end - begin; }
  double overlap(const TimeSpan& other) const {
    return std::max(0.0, std::min(end, other.end) - std::max(begin, other.begin));
  }
};

// Covariance of power at two times: variance * exp(-distance / time) * cos(2 pi distance / period).
struct Correlated {
  double time = 0.06;
  double period = 0;  // 0: irregular
};

// Covariance of the integrals of such a process with variance 1 over two spans.
double covariance_of(const TimeSpan& a, const TimeSpan& b, const Correlated& by);

// Power that varies.
struct Variation {
  Correlated by;
  double deviation = 0;  // standard deviation; 0: constant
};

// What power may have done around a window, and how probable that was before anything was read.
struct WindowModel {
  Variation everywhere, inside;  // inside: only while the window is open
  bool fills = false;            // work fills the window
  bool begins = false;           // work begins or ends with the window
  TimeSpan pause;                // without work, while the window is open
  double prior = 0;
};

// All models of a window of a length, opened at time 0. `swing`: how much power may change when work begins.
// `max_deviation`: power that varies everywhere varies at most this much.
std::vector<WindowModel> window_models(double length, double swing, double max_deviation);

}  // namespace ergon::meter
