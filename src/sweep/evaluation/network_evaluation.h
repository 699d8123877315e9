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

// Where optima are looked for: among the means per clock, or, where repetitions scatter too much for that,
// along a trend through them.
enum class OptimumFrom : std::uint8_t { means, trend };
std::string_view name_of(OptimumFrom from);  // "means", "trend"

// What a sweep says about one network. What cannot be computed is absent, and `notes` say why.
struct NetworkEvaluation {
  NetworkPoints measured;

  std::optional<double> cv_time_max, cv_power_max;
  std::optional<Correlation> r_power_clock, r_time_clock, r_power_time;  // over means per clock
  double relative_time_max = 1;  // the slowest clock's time over the fastest's
  Hertz slowest_clock, fastest_clock;
  std::optional<Knee> knee;  // of power over clock; in MHz, and watts per MHz
  std::optional<Optimum> energy, energy_delay;
  OptimumFrom optimum_from = OptimumFrom::means;  // and the two below
  std::optional<double> energy_saving;            // at the best energy, against the highest clock
  std::optional<double> time_cost;                // of that saving: how much longer a run takes
  std::vector<TrendPoint> time_trend, power_trend, energy_trend;  // empty where there are too few clocks
  std::vector<std::string> notes;

  // "resnet50", with what tells it apart from others of that name.
  std::string title;

  friend bool operator==(const NetworkEvaluation&, const NetworkEvaluation&) = default;
};

// All but the title, which depends on the other networks.
NetworkEvaluation evaluate_network(NetworkPoints measured, const AssociationOptions& association,
                                   const TrendOptions& trend);

}  // namespace ergon::sweep
