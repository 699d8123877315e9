#include "reproduce/thesis_clocks.h"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

namespace ergon::app {
namespace {

using predict::Forecast;
using Cost = std::function<double(const Forecast&)>;

double energy(const Forecast& forecast) { return forecast.energy.value.si(); }
double energy_delay(const Forecast& forecast) { return forecast.energy_delay.value.si(); }

std::size_t cheapest(const ClockSeries& series, const Cost& cost) {
  const auto& points = series.points;
  return static_cast<std::size_t>(
      std::min_element(points.begin(), points.end(),
                       [&](const Forecast& a, const Forecast& b) { return cost(a) < cost(b); }) -
      points.begin());
}

double excess(const ClockSeries& series, Hertz at, const Cost& cost) {
  const auto place = std::find(kThesisClocks.begin(), kThesisClocks.end(), at) - kThesisClocks.begin();
  return cost(series.points.at(static_cast<std::size_t>(place))) /
             cost(series.points.at(cheapest(series, cost))) -
         1;
}

Hertz cheapest_of_all(const predict::Outlook& outlook, const device::Specification& gpu, const Cost& cost) {
  Hertz best = gpu.core.least;
  double least = cost(outlook.at({best, {}}));
  for (Hertz clock = gpu.core.least; clock <= gpu.core.most; clock += gpu.core.step) {
    const double here = cost(outlook.at({clock, {}}));
    if (here < least) least = here, best = clock;
  }
  return best;
}

Result<predict::Outlook> outlook_on(const predict::Predictor& predictor, const ThesisSet& set,
                                    graph::Mode mode, device::Precision precision) {
  const auto network = build(set);
  if (!network) return network.error();
  auto outlook = predictor.prepare(*network, {kThesisBatch, mode, precision});
  if (!outlook) return outlook.error().in(set.text());
  return outlook;
}

Result<ClockSeries> series_of(const predict::Predictor& predictor, const ThesisSet& set, graph::Mode mode) {
  const auto outlook = outlook_on(predictor, set, mode, device::Precision::tf32);
  if (!outlook) return outlook.error();
  ClockSeries series{set, mode, {}, {}, {}};
  for (std::size_t i = 0; i < kThesisClocks.size(); ++i)
    series.points.at(i) = outlook->at({kThesisClocks.at(i), {}});
  series.best_energy_of_all = cheapest_of_all(*outlook, predictor.gpu(), energy);
  series.best_energy_delay_of_all = cheapest_of_all(*outlook, predictor.gpu(), energy_delay);
  return series;
}

Result<Joules> own_energy(const predict::Predictor& predictor, const ThesisSet& set,
                          device::Precision precision) {
  const auto outlook = outlook_on(predictor, set, graph::Mode::inference, precision);
  if (!outlook) return outlook.error();
  return outlook->at({}).energy.value;
}

Result<ThreeEnergies> energies_of(const predict::Predictor& a30, const predict::Predictor& rtx2080ti,
                                  const ThesisSet& set) {
  const auto on = own_energy(a30, set, device::Precision::tf32);
  if (!on) return on.error();
  const auto other = own_energy(rtx2080ti, set, device::Precision::tf32);
  if (!other) return other.error();
  const auto off = own_energy(a30, set, device::Precision::fp32);
  if (!off) return off.error();
  return ThreeEnergies{set.network, set.size, *on, *other, *off};
}

}  // namespace

bool ClockSeries::keeps_order() const {
  return std::adjacent_find(points.begin(), points.end(), [](const Forecast& slow, const Forecast& fast) {
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
  for (const ThesisSet& set : thesis_sets()) {
    auto inference = series_of(a30, set, graph::Mode::inference);
    if (!inference) return inference.error();
    study.inference.push_back(std::move(*inference));
    auto training = series_of(a30, set, graph::Mode::training);
    if (!training) return training.error();
    study.training.push_back(std::move(*training));
    auto energies = energies_of(a30, rtx2080ti, set);
    if (!energies) return energies.error();
    study.energies.push_back(std::move(*energies));
  }
  if (a30.model()) study.held_back = a30.model()->scores;
  return study;
}

std::vector<TrainingRatio> predicted_ratios(const ClockStudy& study) {
  std::vector<TrainingRatio> ratios;
  for (std::size_t i = 0; i < study.inference.size(); ++i) {
    const ClockSeries& less = study.inference[i];
    const ClockSeries& more = study.training[i];
    for (std::size_t clock = 0; clock < kThesisClocks.size(); ++clock) {
      const double ratio = energy(more.points.at(clock)) / energy(less.points.at(clock));
      ratios.push_back({less.set.network, less.set.size, ratio});
    }
  }
  return ratios;
}

}  // namespace ergon::app
