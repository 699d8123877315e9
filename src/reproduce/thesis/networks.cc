#include "reproduce/thesis/networks.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace ergon::reproduce {
namespace {

std::optional<Joules>& energy_on(const calibrate::ThesisNetwork& row, ThreeEnergies& energies) {
  if (row.device == "rtx2080ti") return energies.rtx2080ti;
  return row.precision == device::Precision::fp32 ? energies.tensor_cores_off : energies.tensor_cores_on;
}

}  // namespace

bool ThreeEnergies::in_order() const {
  return complete() && *tensor_cores_on < *rtx2080ti && *rtx2080ti < *tensor_cores_off;
}

std::vector<ThreeEnergies> measured_energies(const std::vector<calibrate::ThesisNetwork>& networks,
                                             graph::Mode mode) {
  std::map<std::pair<std::string, std::int64_t>, ThreeEnergies> found;
  for (const calibrate::ThesisNetwork& row : networks) {
    if (row.mode != mode) continue;
    ThreeEnergies& energies = found[{row.network, row.size}];
    energies.network = row.network;
    energies.size = row.size;
    energy_on(row, energies) = row.time * row.power;
  }
  std::vector<ThreeEnergies> all;
  for (auto& each : found) all.push_back(std::move(each.second));
  return all;
}

ThreeRatios measured_ratios(const std::vector<calibrate::ThesisNetwork>& networks) {
  ThreeRatios ratios;
  const auto trained = measured_energies(networks, graph::Mode::training);
  for (const ThreeEnergies& inference : measured_energies(networks, graph::Mode::inference)) {
    for (const ThreeEnergies& training : trained) {
      if (training.network != inference.network || training.size != inference.size) continue;
      const auto add = [&](const std::optional<Joules>& more, const std::optional<Joules>& less,
                           std::vector<TrainingRatio>& into) {
        if (more && less) into.push_back({inference.network, inference.size, (*more / *less).si()});
      };
      add(training.tensor_cores_on, inference.tensor_cores_on, ratios.tensor_cores_on);
      add(training.rtx2080ti, inference.rtx2080ti, ratios.rtx2080ti);
      add(training.tensor_cores_off, inference.tensor_cores_off, ratios.tensor_cores_off);
    }
  }
  return ratios;
}

std::string range_text(const std::vector<TrainingRatio>& ratios) {
  if (ratios.empty()) return "none";
  const auto [min, max] =
      std::minmax_element(ratios.begin(), ratios.end(),
                          [](const TrainingRatio& a, const TrainingRatio& b) { return a.ratio < b.ratio; });
  return fmt::format("{:.1f} to {:.1f}", min->ratio, max->ratio);
}

bool all_between(const std::vector<TrainingRatio>& ratios, double min, double max) {
  return std::all_of(ratios.begin(), ratios.end(),
                     [&](const TrainingRatio& each) { return each.ratio >= min && each.ratio <= max; });
}

}  // namespace ergon::reproduce
