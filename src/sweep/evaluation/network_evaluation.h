#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sweep/evaluation/association.h"
#include "sweep/evaluation/knee.h"
#include "sweep/evaluation/optimum.h"
#include "sweep/evaluation/points.h"
#include "sweep/evaluation/trend.h"

namespace ergon::sweep {

// Source of the optima: means per clock, or a trend through them if repetitions scatter too much.
enum class OptimumFrom : std::uint8_t { means, trend };
std::string_view name_of(OptimumFrom from);  // "means", "trend"

// Evaluation of one network. Values that cannot be computed are absent, and `notes` say why.
struct NetworkEvaluation {
  NetworkPoints measured;

  std::optional<double> cv_time_max, cv_power_max;
  std::optional<Correlation> r_power_clock, r_time_clock, r_power_time;  // over means per clock
  double relative_time_max = 1;  // time at the slowest clock over time at the fastest
  Hertz slowest_clock, fastest_clock;
  std::optional<Knee> knee;  // of power over clock; in MHz, and watts per MHz
  std::optional<ClockOptimum> energy, energy_delay;
  OptimumFrom optimum_from = OptimumFrom::means;  // also for the two values below
  std::optional<double> energy_saving;  // at the clock of minimum energy, relative to the highest clock
  std::optional<double> time_cost;      // increase of time at that clock, relative to the highest clock
  std::vector<TrendPoint> time_trend, power_trend, energy_trend;  // empty if there are too few clocks
  std::vector<std::string> notes;

  // Unique name: "resnet50", with batch, scenario or device if needed.
  std::string title;

  friend bool operator==(const NetworkEvaluation&, const NetworkEvaluation&) = default;
};

// All but the title, which depends on the other networks.
NetworkEvaluation evaluate_network(NetworkPoints measured, const AssociationOptions& association,
                                   const TrendOptions& trend);

}  // namespace ergon::sweep
