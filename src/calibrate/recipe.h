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

// One twin's calibration under way: the rows that take part, and how far a specification is off on them.
// Every other network and program of a table takes part, by name. Losses are means of relative errors.
class Recipe {
 public:
  // Contract: `stop` outlives the recipe.
  Recipe(const Measured& measured, const std::string& device, const device::Specification& start,
         const std::stop_token& stop);

  Fit& fit() { return fit_; }
  bool has_networks() const { return !rows_.empty(); }
  bool empty() const { return rows_.empty() && applications_.empty(); }

  // Turns these numbers of the twin until the loss is least.
  void turn_all(const Paths& paths, const std::function<double(const device::Specification&)>& loss,
                int evaluations);

  // The time that the GPU is busy, in all and by class of operation, where it was measured.
  double busy_loss(const device::Specification& gpu) const;
  // The time of an iteration, where only that was measured.
  double time_loss(const device::Specification& gpu) const;
  // Power at the clock that was seen.
  double power_loss(const device::Specification& gpu) const;
  // Time and power together, at whatever clock the limit leaves.
  double limited_loss(const device::Specification& gpu) const;
  // Highest readings; one that missed the kernels counts no more than that.
  double maximum_loss(const device::Specification& gpu) const;
  // Time, power and, above all, slowdown under limits.
  double slowdown_loss(const device::Specification& gpu) const;
  // Time and power over clock, from an anchor.
  double application_loss(const device::Specification& gpu) const;

 private:
  void choose(const std::set<std::string>& names);
  bool takes_part(const std::string& name) const;
  std::vector<Comparison> compared(const device::Specification& gpu) const;

  const std::stop_token& stop_;
  Fit fit_;
  std::set<std::string> seen_;
  std::vector<NetworkRow> rows_;
  std::vector<Application> applications_;
};

}  // namespace ergon::calibrate
