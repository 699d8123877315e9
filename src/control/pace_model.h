#pragma once

#include <array>
#include <optional>
#include <vector>

#include "control/surface.h"

namespace ergon::control {

// How long a batch takes, learned from a few that were timed.
//
// Kernels follow batch and clock, the host follows neither, and the slower of the two sets the pace
// (device::pace). What is believed of each is off by a factor; that of the kernels may lean with batch and
// clock. Which of the two was waited for is not told, so that both readings are tried and the one that
// explains more with less is taken: a few steps of Gauss and Newton from each.
class PaceModel {
 public:
  // How far the factors may be off: logarithms, of the kernels, of their lean with batch and clock, of the
  // host.
  using Weights = std::array<double, 4>;
  explicit PaceModel(const Weights& deviations) : deviations_(deviations) {}

  struct Place {
    double gpu = 0;               // believed: logarithms of seconds
    std::optional<double> host;   // nothing: all of it are kernels
    double batch = 0, clock = 0;  // logarithms, of some middle
  };
  // The logarithm of the seconds.
  double log_time_at(const Place& place) const;
  // A batch took so long there. Only the newest few are kept.
  void see(const Place& place, double seconds);

 private:
  struct Timed {
    Place place;
    double log_time = 0;
  };
  // What speaks against the weights, and a step towards better ones.
  double cost(const Weights& weights) const;
  Weights improved(const Weights& from) const;

  Weights deviations_, weights_{};
  std::vector<Timed> timed_;
};

}  // namespace ergon::control
