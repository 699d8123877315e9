#pragma once

#include <array>
#include <string>
#include <vector>

#include "base/result.h"
#include "predict/predictor.h"
#include "reproduce/thesis/cases.h"
#include "reproduce/thesis/networks.h"

namespace ergon::reproduce {

// Predictions of one network of the thesis at its six clocks.
struct ClockSeries {
  ThesisCase test_case;
  graph::Mode mode = graph::Mode::inference;
  std::array<predict::Prediction, kThesisClocks.size()> points;
  Hertz best_energy_of_all, best_energy_delay_of_all;  // over all clocks of the GPU

  // Time decreases from each clock to the next higher one.
  bool time_decreases() const;
  // Energy falls to its minimum and rises after it; the minimum is neither the first nor the last clock.
  bool is_u_shaped() const;
  Hertz best_energy() const;
  Hertz best_energy_delay() const;
  // Cost of the thesis's best clock over the best of the six here, minus 1.
  double energy_excess() const;
  double energy_delay_excess() const;
};

struct ClockStudy {
  std::vector<ClockSeries> inference, training;  // on the A30, tensor cores on
  std::vector<ThreeEnergies> energies;           // inference at the default clocks
  std::vector<predict::Score> held_out;          // whole networks held out when the A30's model was fitted
};

// Contract: predictors of an A30 and an RTX 2080 Ti. Errors: a network that cannot be predicted.
Result<ClockStudy> study_clocks(const predict::Predictor& a30, const predict::Predictor& rtx2080ti);

// Of each network at each of the six clocks.
std::vector<TrainingRatio> predicted_ratios(const ClockStudy& study);

}  // namespace ergon::reproduce
