#pragma once

#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "control/surfaces/surface.h"

namespace ergon::control {

// Time per batch as a function of batch size and clock, fitted online to recent samples.
//
// time = max(kernel time, host time), smoothed as in device::iteration_time. Each term is the prior estimate
// times a scale factor; the kernel factor also has a slope in log(batch) and log(clock). Samples do not say
// which term was the larger, so both assumptions are fitted (a few Gauss-Newton steps, Gaussian prior on the
// factors) and the likelier fit is kept.
class BatchTimeModel {
 public:
  // Logarithms: kernel factor, its slopes in batch and clock, host factor.
  using Weights = std::array<double, 4>;
  // Standard deviations of the prior on the weights.
  explicit BatchTimeModel(const Weights& deviations) : deviations_(deviations) {}

  struct Features {
    double log_kernel_seconds = 0;           // prior estimate
    std::optional<double> log_host_seconds;  // prior estimate; empty: all of the time is kernel time
    double log_batch = 0, log_clock = 0;     // relative to a reference point
  };
  Seconds predict(const Features& features) const { return Seconds{std::exp(predict_log_seconds(features))}; }
  double predict_log_seconds(const Features& features) const;
  // Replaces the sample at the same batch and clock. Only the newest ten samples are stored.
  void add_sample(const Features& features, Seconds time);

 private:
  struct Sample {
    Features features;
    double log_time = 0;
  };
  // Negative log posterior, times two, without constants.
  double cost(const Weights& weights) const;
  Weights gauss_newton_step(const Weights& from) const;

  Weights deviations_, weights_{};
  std::vector<Sample> samples_;
};

}  // namespace ergon::control
