// Pattern search, after Hooke and Jeeves, "Direct search" solution of numerical and statistical problems
// (1961). Each round tries a step forwards and backwards along every axis and keeps every improvement. A
// round without improvement halves the step.

#include "base/statistics/minimize.h"

#include <algorithm>
#include <cmath>

#include "base/contract.h"

namespace ergon::statistics {
namespace {

// Smaller improvements are rounding errors.
constexpr double kMinImprovement = 1e-12;

class PatternSearch {
 public:
  PatternSearch(const std::function<double(std::span<const double>)>& function, std::vector<double> start,
                const MinimizeOptions& options)
      : function_(function), options_(options), best_{std::move(start), 0} {
    best_.value = value_at(best_.at);
  }

  Minimum run() {
    double step = options_.first_step;
    while (step > options_.last_step && !ended()) {
      while (round(step) && !ended()) {
      }
      step /= 2;
    }
    return best_;
  }

 private:
  bool ended() const { return evaluations_ >= options_.max_evaluations || options_.stop.stop_requested(); }

  double value_at(const std::vector<double>& at) {
    ++evaluations_;
    const double value = function_(at);
    return std::isfinite(value) ? value : HUGE_VAL;
  }

  // Returns whether it found an improvement.
  bool round(double step) {
    bool improved = false;
    const std::size_t axes = best_.at.size();
    for (std::size_t i = 0; i < axes; ++i) {
      for (std::size_t k = i; k < (options_.diagonal ? axes : i + 1); ++k) {
        for (const double first : {-step, step}) {
          for (const double second : {-step, step}) {
            if (i == k && second < 0) continue;
            std::vector<double> at = best_.at;
            move(at, i, first);
            if (i != k) move(at, k, second);
            improved = try_point(std::move(at)) || improved;
          }
        }
      }
    }
    return improved;
  }

  void move(std::vector<double>& at, std::size_t axis, double step) const {
    if (options_.ranges.empty()) {
      at[axis] += step;
      return;
    }
    const auto [min, max] = options_.ranges[axis];
    at[axis] = std::clamp(at[axis] + step * (max - min), min, max);
  }

  bool try_point(std::vector<double> at) {
    if (ended() || at == best_.at) return false;
    const double value = value_at(at);
    if (value >= best_.value - kMinImprovement) return false;
    best_ = {std::move(at), value};
    return true;
  }

  const std::function<double(std::span<const double>)>& function_;
  const MinimizeOptions& options_;
  Minimum best_;
  int evaluations_ = 0;
};

}  // namespace

Minimum minimize(const std::function<double(std::span<const double>)>& function, std::vector<double> start,
                 const MinimizeOptions& options) {
  ERGON_EXPECTS(!start.empty() && (options.ranges.empty() || options.ranges.size() == start.size()));
  return PatternSearch(function, std::move(start), options).run();
}

}  // namespace ergon::statistics
