#pragma once

#include <span>
#include <vector>

#include "base/result.h"

namespace ergon::statistics {

struct LoessOptions {
  double span = 0.75;  // share of the points in each local fit; above 1 all points, with more equal weights
  int degree = 2;      // of the local polynomial: 0, 1 or 2
  double confidence = 0.95;  // of the band
};

struct LoessPoint {
  double x = 0;
  double fit = 0;
  double standard_error = 0;
  double low = 0;  // the confidence band of the curve, not of new observations
  double high = 0;
};

// Local regression (Cleveland and Devlin 1988): at every x a polynomial of low degree is fitted to the
// nearest points with tricube weights. Equal to R's loess(surface = "direct", statistics = "exact"), except
// where R fails: if all nearest points are tied, they get equal weights.
class Loess {
 public:
  static Result<Loess> fit(std::span<const double> x, std::span<const double> y,
                           const LoessOptions& options = {});

  LoessPoint at(double x) const;
  std::vector<LoessPoint> curve(std::size_t points) const;  // evenly over the range of x

  double residual_deviation() const { return residual_deviation_; }
  double degrees_of_freedom() const { return degrees_of_freedom_; }

 private:
  struct Window;
  struct Local;

  Loess() = default;
  Window window_at(double at) const;
  Local local_fit(double at) const;
  void estimate_noise();

  std::vector<double> x_;  // ascending
  std::vector<double> y_;
  LoessOptions options_;
  double residual_deviation_ = 0;
  double degrees_of_freedom_ = 0;
  double t_quantile_ = 0;
};

}  // namespace ergon::statistics
