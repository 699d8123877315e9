#pragma once

#include <array>
#include <string>
#include <vector>

#include "base/result.h"
#include "predict/predictor.h"
#include "reproduce/thesis_networks.h"
#include "reproduce/thesis_sets.h"

namespace ergon::app {

// One of the thesis's networks at its six clocks, predicted.
struct ClockSeries {
  ThesisSet set;
  graph::Mode mode = graph::Mode::inference;
  std::array<predict::Forecast, kThesisClocks.size()> points;
  Hertz best_energy_of_all, best_energy_delay_of_all;  // of every clock the GPU has

  // Higher clocks take less time, all of them.
  bool keeps_order() const;
  // Energy falls to its least and rises from there on, and the least is neither the first nor the last.
  bool is_u_shaped() const;
  Hertz best_energy() const;
  Hertz best_energy_delay() const;
  // What the thesis's best clocks cost beyond the best of the six here, as a share.
  double energy_excess() const;
  double energy_delay_excess() const;
};

struct ClockStudy {
  std::vector<ClockSeries> inference, training;  // on the A30, tensor cores on
  std::vector<ThreeEnergies> energies;           // inference at the GPUs' own clocks
  std::vector<predict::Score> held_back;         // networks, when the A30's model was learned
};

// Contract: predictors of an A30 and an RTX 2080 Ti. Errors: a network that cannot be predicted.
Result<ClockStudy> study_clocks(const predict::Predictor& a30, const predict::Predictor& rtx2080ti);

// Of each set at each of the six clocks.
std::vector<TrainingRatio> predicted_ratios(const ClockStudy& study);

}  // namespace ergon::app
