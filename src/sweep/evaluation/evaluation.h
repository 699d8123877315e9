#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "sweep/evaluation/association.h"
#include "sweep/evaluation/network_evaluation.h"
#include "sweep/evaluation/observation.h"
#include "sweep/evaluation/points.h"
#include "sweep/evaluation/trend.h"
#include "sweep/evaluation/variance.h"

namespace ergon::sweep {

struct EvaluationOptions {
  std::optional<Hertz> min_clock, max_clock;  // runs outside are excluded and counted
  AssociationOptions association;
  TrendOptions trend;
  std::size_t threads = 0;    // 0: one per processor; the result does not depend on it
  std::stop_token stop = {};  // after a stop request the result is incomplete
};

// Medians over the networks that have the value.
struct Medians {
  std::int64_t networks = 0;
  std::optional<double> best_energy_clock_mhz, best_edp_clock_mhz, knee_mhz, energy_saving, time_cost;
  std::optional<double> r_power_clock, r_time_clock, r_power_time;  // Pearson's
  std::optional<double> spearman_time_clock, relative_time_max;

  friend bool operator==(const Medians&, const Medians&) = default;
};

// Variance decomposition of logarithms, where networks and clocks act as factors, and of the plain values.
struct VarianceDecomposition {
  std::optional<VarianceShares> log_time, log_power, time, power;
  std::vector<std::string> notes;

  friend bool operator==(const VarianceDecomposition&, const VarianceDecomposition&) = default;
};

struct SweepEvaluation {
  PowerKind power = PowerKind::maximum;
  std::vector<NetworkEvaluation> networks;  // by name, device, scenario, batch
  Medians medians;
  Medians time_bound_medians;  // over networks with follows_clock()
  VarianceDecomposition variance;
  std::int64_t runs = 0;
  std::map<std::string, std::int64_t> excluded;
  bool simulated = false, all_simulated = false;  // some runs; all runs

  friend bool operator==(const SweepEvaluation&, const SweepEvaluation&) = default;
};

// Absolute correlations of at least kStrongCorrelation are called strong; those below kNoCorrelation count as
// none, as in the paper.
inline constexpr double kStrongCorrelation = 0.8;
inline constexpr double kNoCorrelation = 0.5;

// Whether time decreases with the clock: Spearman's correlation is strong. Pearson's would be only -0.8 for
// time that is exactly inverse to clocks over a factor of twelve.
bool follows_clock(const NetworkEvaluation& network);

// Evaluates a clock sweep by the method of Drechsler, Metz and Plump (frequency-scaling-v100s, section 3.2),
// with intervals, knees, optima and variances in addition. The result does not depend on the order of runs or
// the number of threads.
SweepEvaluation evaluate(const Observations& observations, const EvaluationOptions& options = {});

}  // namespace ergon::sweep
