#pragma once

#include <functional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "calibrate/fit.h"

namespace ergon::calibrate {

using Paths = std::vector<std::string>;

inline const char* const kBandwidth = "memory.bandwidth_over_clock";

// The calibration of one twin: its training rows, and the losses of a specification on them. Every other
// network and application of a table, sorted by name, is used for training. Losses are mean relative errors.
class Calibration {
 public:
  // Contract: `stop` outlives this object.
  Calibration(const MeasuredTables& measured, const std::string& device, const device::Specification& start,
              const std::stop_token& stop);

  Fit& fit() { return fit_; }
  bool has_networks() const { return !rows_.empty(); }
  bool empty() const { return rows_.empty() && applications_.empty(); }

  // Fits the parameters at `paths` to minimize the loss.
  void optimize(const Paths& paths, const std::function<double(const device::Specification&)>& loss,
                int evaluations);

  // Kernel time, in total and by class of operation, of rows that have it.
  double busy_loss(const device::Specification& gpu) const;
  // Iteration time of rows without kernel time.
  double time_loss(const device::Specification& gpu) const;
  // Power at the measured clock.
  double power_loss(const device::Specification& gpu) const;
  // Time and power at the clock that the power limit permits.
  double limited_loss(const device::Specification& gpu) const;
  // Maximum power; the penalty of a reading that missed the kernels is bounded.
  double maximum_loss(const device::Specification& gpu) const;
  // Time, power and, with the largest weight, slowdown under power limits.
  double slowdown_loss(const device::Specification& gpu) const;
  // Time and power of applications at all clocks, predicted from the anchor.
  double application_loss(const device::Specification& gpu) const;

 private:
  void choose_fitted(const std::set<std::string>& names);
  bool is_fitted_name(const std::string& name) const;
  std::vector<Comparison> compared(const device::Specification& gpu) const;

  const std::stop_token& stop_;
  Fit fit_;
  std::set<std::string> seen_;
  std::vector<NetworkRow> rows_;
  std::vector<Application> applications_;
};

}  // namespace ergon::calibrate
