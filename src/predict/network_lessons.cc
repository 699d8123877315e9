#include "predict/network_lessons.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <string>

#include "base/parallel.h"
#include "predict/conformal.h"

namespace ergon::predict {
namespace {

using Networks = std::span<const MeasuredNetwork>;
using Parts = std::vector<Part> MeasuredNetwork::*;

Observation observation_of(const MeasuredNetwork& network, Parts parts, const Trusts& trusts) {
  const NetworkSample& sample = *network.sample;
  return {sample.job.network, kind_of(sample.job.condition),
          sums_of(network.*parts, trusts.at(sample.job.condition.mode)), sample.time, sample.power};
}

std::vector<Observation> observations_of(Networks networks, const Trusts& trusts) {
  std::vector<Observation> observations;
  observations.reserve(networks.size());
  for (const MeasuredNetwork& each : networks)
    observations.push_back(observation_of(each, &MeasuredNetwork::known, trusts));
  return observations;
}

// By network: what all others teach.
using Without = std::map<std::string, Corrections>;

Without corrections_without(const std::vector<Observation>& observations, const device::Specification& gpu,
                            std::size_t threads) {
  Without without;
  for (const Observation& each : observations) without[each.network];
  std::vector<Without::value_type*> places;
  for (auto& place : without) places.push_back(&place);
  parallel_for(places.size(), worker_count(threads, places.size()), [&](std::size_t i, std::size_t) {
    std::vector<Observation> others;
    for (const Observation& other : observations) {
      if (other.network != places[i]->first) others.push_back(other);
    }
    places[i]->second = fit_corrections(others, gpu);
  });
  return without;
}

std::vector<HeldBack> held_back_of(Networks networks, Parts parts, const Trusts& trusts,
                                   const Without& without, const device::Specification& gpu) {
  std::vector<HeldBack> held_back;
  held_back.reserve(networks.size());
  for (const MeasuredNetwork& network : networks) {
    const Observation each = observation_of(network, parts, trusts);
    const Corrections& corrections = without.at(each.network);
    const Whole whole = whole_of(each.sums, corrections.of(each.kind), corrections, gpu);
    held_back.push_back({each.network,
                         network.sample->job.condition,
                         whole.waits(),
                         whole.time,
                         each.time,
                         whole.power,
                         each.power,
                         known_share(network.*parts, trusts.at(each.kind.mode)),
                         {}});
  }
  return held_back;
}

// What is far off is far off: one odd network among a few must not decide.
constexpr double kFarOff = 0.3;

double mean_error(const std::vector<HeldBack>& held_back) {
  double sum = 0;
  for (const HeldBack& each : held_back) {
    sum += std::min(kFarOff, std::abs(each.time_error()));
    if (each.measured_power) sum += std::min(kFarOff, std::abs(each.energy_error()));
  }
  return sum / static_cast<double>(std::max<std::size_t>(1, held_back.size()));
}

// Of a few choices, what would have predicted the networks that were held back best.
Trust best_trust(Networks networks, graph::Mode mode, const device::Specification& gpu, std::size_t threads) {
  Trust best;
  std::optional<double> least;
  for (const double learned : {0.6, 0.8, 1.0}) {
    for (const double waiting : {0.0, 0.3, 0.6, 1.0}) {
      const Trust trust{learned, waiting};
      const Trusts trusts{{mode, trust}};
      const Without without = corrections_without(observations_of(networks, trusts), gpu, threads);
      const double error =
          mean_error(held_back_of(networks, &MeasuredNetwork::unknown, trusts, without, gpu));
      if (least && error >= *least) continue;
      least = error;
      best = trust;
    }
  }
  return best;
}

Trusts best_trusts(Networks networks, const device::Specification& gpu, std::size_t threads) {
  std::map<graph::Mode, std::vector<MeasuredNetwork>> modes;
  for (const MeasuredNetwork& each : networks) modes[each.sample->job.condition.mode].push_back(each);
  Trusts trusts;
  for (const auto& [mode, own] : modes) trusts[mode] = best_trust(own, mode, gpu, threads);
  return trusts;
}

std::vector<HeldBack> others_than(const std::string& network, const std::vector<HeldBack>& held_back) {
  std::vector<HeldBack> others;
  std::copy_if(held_back.begin(), held_back.end(), std::back_inserter(others),
               [&](const HeldBack& each) { return each.network != network; });
  return others;
}

// Intervals that each network would have got from all others.
void add_widths(NetworkLessons& lessons) {
  struct Both {
    std::map<Host, WidthPair> unknown, known;
  };
  std::map<std::string, Both> from_others;
  for (const HeldBack& each : lessons.known) {
    if (from_others.contains(each.network)) continue;
    from_others[each.network] = {widths_of(others_than(each.network, lessons.unknown)),
                                 widths_of(others_than(each.network, lessons.known))};
  }
  for (auto* held_back : {&lessons.unknown, &lessons.known}) {
    for (HeldBack& each : *held_back) {
      const Both& both = from_others.at(each.network);
      const Host host = each.condition.host;
      each.widths = mixed(widths_in(both.unknown, host, each.waits), widths_in(both.known, host, each.waits),
                          each.known_share);
    }
  }
}

}  // namespace

NetworkLessons learn_from(Networks networks, const device::Specification& gpu, std::size_t threads) {
  NetworkLessons lessons;
  lessons.trust = best_trusts(networks, gpu, threads);
  const auto observations = observations_of(networks, lessons.trust);
  lessons.corrections = fit_corrections(observations, gpu);
  const Without without = corrections_without(observations, gpu, threads);
  for (const auto& [parts, held_back] : {std::pair{&MeasuredNetwork::unknown, &lessons.unknown},
                                         std::pair{&MeasuredNetwork::known, &lessons.known}}) {
    *held_back = held_back_of(networks, parts, lessons.trust, without, gpu);
  }
  add_widths(lessons);
  return lessons;
}

}  // namespace ergon::predict
