#include "predict/learn/network_fit.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <string>

#include "base/parallel.h"
#include "predict/learn/conformal.h"

namespace ergon::predict {
namespace {

using Networks = std::span<const MeasuredNetwork>;
using Parts = std::vector<TaskCost> MeasuredNetwork::*;

NetworkObservation observation_of(const MeasuredNetwork& network, Parts costs,
                                  const ShrinkageByMode& shrinkages) {
  const NetworkSample& sample = *network.sample;
  return {sample.iteration.network, key_of(sample.iteration.config),
          sums_of(network.*costs, shrinkages.at(sample.iteration.config.mode)), sample.time, sample.power};
}

std::vector<NetworkObservation> observations_of(Networks networks, const ShrinkageByMode& shrinkages) {
  std::vector<NetworkObservation> observations;
  observations.reserve(networks.size());
  for (const MeasuredNetwork& each : networks)
    observations.push_back(observation_of(each, &MeasuredNetwork::measured_costs, shrinkages));
  return observations;
}

// By network: corrections fitted to all other networks.
using Without = std::map<std::string, Corrections>;

Without corrections_without(const std::vector<NetworkObservation>& observations,
                            const device::Specification& gpu, std::size_t threads) {
  Without without;
  for (const NetworkObservation& each : observations) without[each.network];
  std::vector<Without::value_type*> entries;
  for (auto& entry : without) entries.push_back(&entry);
  parallel_for(entries.size(), worker_count(threads, entries.size()), [&](std::size_t i, std::size_t) {
    std::vector<NetworkObservation> others;
    for (const NetworkObservation& other : observations) {
      if (other.network != entries[i]->first) others.push_back(other);
    }
    entries[i]->second = fit_corrections(others, gpu);
  });
  return without;
}

std::vector<HeldOutNetwork> held_out_of(Networks networks, Parts costs, const ShrinkageByMode& shrinkages,
                                        const Without& without, const device::Specification& gpu) {
  std::vector<HeldOutNetwork> held_out;
  held_out.reserve(networks.size());
  for (const MeasuredNetwork& network : networks) {
    const NetworkObservation each = observation_of(network, costs, shrinkages);
    const Corrections& corrections = without.at(each.network);
    const NetworkCost cost = network_cost(each.sums, corrections.of(each.key), corrections, gpu);
    held_out.push_back({each.network,
                        network.sample->iteration.config,
                        cost.host_bound(),
                        cost.time,
                        each.time,
                        cost.power,
                        each.power,
                        measured_share(network.*costs, shrinkages.at(each.key.mode)),
                        {}});
  }
  return held_out;
}

// Errors are clipped here, so that one outlier among a few networks does not decide.
constexpr double kMaxError = 0.3;

double mean_error(const std::vector<HeldOutNetwork>& held_out) {
  double sum = 0;
  for (const HeldOutNetwork& each : held_out) {
    sum += std::min(kMaxError, std::abs(each.time_error()));
    if (each.measured_power) sum += std::min(kMaxError, std::abs(each.energy_error()));
  }
  return sum / static_cast<double>(std::max<std::size_t>(1, held_out.size()));
}

// Grid search: the shrinkage with the smallest error on held-out networks.
Shrinkage best_shrinkage(Networks networks, graph::Mode mode, const device::Specification& gpu,
                         std::size_t threads) {
  Shrinkage best;
  std::optional<double> lowest;
  for (const double learned : {0.6, 0.8, 1.0}) {
    for (const double waiting : {0.0, 0.3, 0.6, 1.0}) {
      const Shrinkage shrinkage{learned, waiting};
      const ShrinkageByMode shrinkages{{mode, shrinkage}};
      const Without without = corrections_without(observations_of(networks, shrinkages), gpu, threads);
      const double error =
          mean_error(held_out_of(networks, &MeasuredNetwork::held_out_costs, shrinkages, without, gpu));
      if (lowest && error >= *lowest) continue;
      lowest = error;
      best = shrinkage;
    }
  }
  return best;
}

ShrinkageByMode best_shrinkages(Networks networks, const device::Specification& gpu, std::size_t threads) {
  std::map<graph::Mode, std::vector<MeasuredNetwork>> modes;
  for (const MeasuredNetwork& each : networks) modes[each.sample->iteration.config.mode].push_back(each);
  ShrinkageByMode shrinkages;
  for (const auto& [mode, of_mode] : modes) shrinkages[mode] = best_shrinkage(of_mode, mode, gpu, threads);
  return shrinkages;
}

std::vector<HeldOutNetwork> others_than(const std::string& network,
                                        const std::vector<HeldOutNetwork>& held_out) {
  std::vector<HeldOutNetwork> others;
  std::copy_if(held_out.begin(), held_out.end(), std::back_inserter(others),
               [&](const HeldOutNetwork& each) { return each.network != network; });
  return others;
}

// Interval widths of each network, from the errors of all others.
void add_widths(NetworkFit& fit) {
  struct Both {
    std::map<LaunchHost, WidthPair> held_out, measured;
  };
  std::map<std::string, Both> widths_without;
  for (const HeldOutNetwork& each : fit.with_measured_operations) {
    if (widths_without.contains(each.network)) continue;
    widths_without[each.network] = {widths_of(others_than(each.network, fit.held_out)),
                                    widths_of(others_than(each.network, fit.with_measured_operations))};
  }
  for (auto* held_out : {&fit.held_out, &fit.with_measured_operations}) {
    for (HeldOutNetwork& each : *held_out) {
      const Both& both = widths_without.at(each.network);
      const LaunchHost host = each.config.host;
      each.widths = interpolated(nearest_widths(both.held_out, host, each.host_bound),
                                 nearest_widths(both.measured, host, each.host_bound), each.measured_share);
    }
  }
}

}  // namespace

NetworkFit fit_networks(Networks networks, const device::Specification& gpu, std::size_t threads) {
  NetworkFit fit;
  fit.shrinkage = best_shrinkages(networks, gpu, threads);
  const auto observations = observations_of(networks, fit.shrinkage);
  fit.corrections = fit_corrections(observations, gpu);
  const Without without = corrections_without(observations, gpu, threads);
  for (const auto& [costs, held_out] :
       {std::pair{&MeasuredNetwork::held_out_costs, &fit.held_out},
        std::pair{&MeasuredNetwork::measured_costs, &fit.with_measured_operations}}) {
    *held_out = held_out_of(networks, costs, fit.shrinkage, without, gpu);
  }
  add_widths(fit);
  return fit;
}

}  // namespace ergon::predict
