#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "sweep/evaluation/answer.h"
#include "sweep/evaluation/association.h"
#include "sweep/evaluation/network_evaluation.h"
#include "sweep/evaluation/observation.h"
#include "sweep/evaluation/points.h"
#include "sweep/evaluation/trend.h"
#include "sweep/evaluation/variance.h"

namespace ergon::sweep {

struct EvaluationOptions {
  std::optional<Hertz> from, to;  // clocks outside are left out, and counted
  AssociationOptions association;
  TrendOptions trend;
  std::size_t threads = 0;    // 0: as many as the machine has; the result is the same
  std::stop_token stop = {};  // then the result is incomplete and must not be used
};

// Medians over networks that have the value.
struct Medians {
  std::int64_t networks = 0;
  std::optional<double> best_energy_clock_mhz, best_edp_clock_mhz, knee_mhz, energy_saving, time_cost;
  std::optional<double> r_power_clock, r_time_clock, r_power_time;  // Pearson's
  std::optional<double> spearman_time_clock, relative_time_max;

  friend bool operator==(const Medians&, const Medians&) = default;
};

// The decomposition on logarithms, where networks and clocks act as factors, and on the plain values.
struct Variance {
  std::optional<VarianceShares> log_time, log_power, time, power;
  std::vector<std::string> notes;

  friend bool operator==(const Variance&, const Variance&) = default;
};

struct Evaluation {
  PowerKind power = PowerKind::maximum;
  std::vector<NetworkEvaluation> networks;  // by name, device, scenario, batch
  Medians medians;
  Medians time_bound_medians;  // of the networks of which follows_clock() is true
  Variance variance;
  std::vector<Answer> answers;  // to the paper's four questions
  std::int64_t runs = 0;
  std::map<std::string, std::int64_t> left_out;
  bool simulated = false, all_simulated = false;  // some runs, all of them

  friend bool operator==(const Evaluation&, const Evaluation&) = default;
};

// A correlation of at least this size, or at most its negative, is called strong; below kNoCorrelation, by
// the paper's word, there is none.
inline constexpr double kStrongCorrelation = 0.8;
inline constexpr double kNoCorrelation = 0.5;

// Whether time follows the clock: it falls from clock to clock, by whatever curve. Pearson's correlation
// would not do, as it is only -0.8 where time is exactly inverse to clocks that span a factor of twelve; so
// the ranks judge.
bool follows_clock(const NetworkEvaluation& network);

// The evaluation of a clock sweep after Drechsler, Metz and Plump (frequency-scaling-v100s, section 3.2),
// with intervals, knees, optima and variances besides. A pure function: neither the order of the runs nor the
// number of threads changes a bit of the result.
Evaluation evaluate(const Observations& observations, const EvaluationOptions& options = {});

}  // namespace ergon::sweep
