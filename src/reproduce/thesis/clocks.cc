#include "reproduce/thesis/clocks.h"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

namespace ergon::reproduce {
namespace {

using predict::Prediction;
using Cost = std::function<double(const Prediction&)>;

double energy(const Prediction& prediction) { return prediction.energy.value.si(); }
double energy_delay(const Prediction& prediction) { return prediction.energy_delay.value.si(); }

std::size_t cheapest(const ClockSeries& series, const Cost& cost) {
  const auto& points = series.points;
  return static_cast<std::size_t>(
      std::min_element(points.begin(), points.end(),
                       [&](const Prediction& a, const Prediction& b) { return cost(a) < cost(b); }) -
      points.begin());
}

double excess(const ClockSeries& series, Hertz at, const Cost& cost) {
  const auto index = std::find(kThesisClocks.begin(), kThesisClocks.end(), at) - kThesisClocks.begin();
  return cost(series.points.at(static_cast<std::size_t>(index))) /
             cost(series.points.at(cheapest(series, cost))) -
         1;
}

Hertz cheapest_of_all(const predict::PreparedNetwork& prepared, const device::Specification& gpu,
                      const Cost& cost) {
  Hertz best = gpu.core.min;
  double lowest = cost(prepared.predict({best, {}}));
  for (Hertz clock = gpu.core.min; clock <= gpu.core.max; clock += gpu.core.step) {
    const double here = cost(prepared.predict({clock, {}}));
    if (here < lowest) lowest = here, best = clock;
  }
  return best;
}

Result<predict::PreparedNetwork> prepared_on(const predict::Predictor& predictor, const ThesisCase& test_case,
                                             graph::Mode mode, device::Precision precision) {
  const auto network = build(test_case);
  if (!network) return network.error();
  auto prepared = predictor.prepare(*network, {kThesisBatch, mode, precision});
  if (!prepared) return prepared.error().in(test_case.text());
  return prepared;
}

Result<ClockSeries> series_of(const predict::Predictor& predictor, const ThesisCase& test_case,
                              graph::Mode mode) {
  const auto prepared = prepared_on(predictor, test_case, mode, device::Precision::tf32);
  if (!prepared) return prepared.error();
  ClockSeries series{test_case, mode, {}, {}, {}};
  for (std::size_t i = 0; i < kThesisClocks.size(); ++i)
    series.points.at(i) = prepared->predict({kThesisClocks.at(i), {}});
  series.best_energy_of_all = cheapest_of_all(*prepared, predictor.gpu(), energy);
  series.best_energy_delay_of_all = cheapest_of_all(*prepared, predictor.gpu(), energy_delay);
  return series;
}

Result<Joules> default_clock_energy(const predict::Predictor& predictor, const ThesisCase& test_case,
                                    device::Precision precision) {
  const auto prepared = prepared_on(predictor, test_case, graph::Mode::inference, precision);
  if (!prepared) return prepared.error();
  return prepared->predict({}).energy.value;
}

Result<ThreeEnergies> energies_of(const predict::Predictor& a30, const predict::Predictor& rtx2080ti,
                                  const ThesisCase& test_case) {
  const auto on = default_clock_energy(a30, test_case, device::Precision::tf32);
  if (!on) return on.error();
  const auto other = default_clock_energy(rtx2080ti, test_case, device::Precision::tf32);
  if (!other) return other.error();
  const auto off = default_clock_energy(a30, test_case, device::Precision::fp32);
  if (!off) return off.error();
  return ThreeEnergies{test_case.network, test_case.size, *on, *other, *off};
}

}  // namespace

bool ClockSeries::time_decreases() const {
  return std::adjacent_find(points.begin(), points.end(), [](const Prediction& slow, const Prediction& fast) {
           return fast.time.value >= slow.time.value;
         }) == points.end();
}

bool ClockSeries::is_u_shaped() const {
  const std::size_t bottom = cheapest(*this, energy);
  if (bottom == 0 || bottom + 1 == points.size()) return false;
  for (std::size_t i = 1; i < points.size(); ++i) {
    const bool rises = energy(points.at(i)) > energy(points.at(i - 1));
    if (rises != (i > bottom)) return false;
  }
  return true;
}

Hertz ClockSeries::best_energy() const { return kThesisClocks.at(cheapest(*this, energy)); }
Hertz ClockSeries::best_energy_delay() const { return kThesisClocks.at(cheapest(*this, energy_delay)); }
double ClockSeries::energy_excess() const { return excess(*this, kThesisEnergyClock, energy); }
double ClockSeries::energy_delay_excess() const {
  return excess(*this, kThesisEnergyDelayClock, energy_delay);
}

Result<ClockStudy> study_clocks(const predict::Predictor& a30, const predict::Predictor& rtx2080ti) {
  ClockStudy study;
  for (const ThesisCase& test_case : thesis_cases()) {
    auto inference = series_of(a30, test_case, graph::Mode::inference);
    if (!inference) return inference.error();
    study.inference.push_back(std::move(*inference));
    auto training = series_of(a30, test_case, graph::Mode::training);
    if (!training) return training.error();
    study.training.push_back(std::move(*training));
    auto energies = energies_of(a30, rtx2080ti, test_case);
    if (!energies) return energies.error();
    study.energies.push_back(std::move(*energies));
  }
  if (a30.model()) study.held_out = a30.model()->scores;
  return study;
}

std::vector<TrainingRatio> predicted_ratios(const ClockStudy& study) {
  std::vector<TrainingRatio> ratios;
  for (std::size_t i = 0; i < study.inference.size(); ++i) {
    const ClockSeries& less = study.inference[i];
    const ClockSeries& more = study.training[i];
    for (std::size_t clock = 0; clock < kThesisClocks.size(); ++clock) {
      const double ratio = energy(more.points.at(clock)) / energy(less.points.at(clock));
      ratios.push_back({less.test_case.network, less.test_case.size, ratio});
    }
  }
  return ratios;
}

}  // namespace ergon::reproduce
