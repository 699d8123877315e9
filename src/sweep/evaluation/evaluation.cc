#include "sweep/evaluation/evaluation.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include <fmt/format.h>

#include "base/parallel.h"
#include "base/si_prefixes.h"
#include "base/statistics/quantile.h"
#include "base/text.h"
#include "base/units_text.h"

namespace ergon::sweep {
namespace {

using Maybe = std::optional<double>;

std::vector<Observation> within_clocks(const Observations& observations, const EvaluationOptions& options,
                                       std::map<std::string, std::int64_t>& excluded) {
  std::vector<Observation> runs;
  for (const Observation& run : observations.runs) {
    if (options.min_clock && run.clock < *options.min_clock) {
      ++excluded[fmt::format("clock below {}", to_text(*options.min_clock))];
    } else if (options.max_clock && run.clock > *options.max_clock) {
      ++excluded[fmt::format("clock above {}", to_text(*options.max_clock))];
    } else {
      runs.push_back(run);
    }
  }
  std::sort(runs.begin(), runs.end());
  return runs;
}

// Title: the network name, with batch, scenario and device where they distinguish networks of the same name.
void set_titles(std::vector<NetworkEvaluation>& networks) {
  std::map<std::string, std::vector<NetworkEvaluation*>> by_name;
  for (NetworkEvaluation& network : networks) by_name[network.measured.network].push_back(&network);
  for (const auto& entry : by_name) {
    const std::vector<NetworkEvaluation*>& same = entry.second;
    const auto differs = [&, first = same.front()](auto part) {
      return std::any_of(same.begin(), same.end(), [&](const NetworkEvaluation* one) {
        return one->measured.*part != first->measured.*part;
      });
    };
    const bool batches = differs(&NetworkPoints::batch), scenarios = differs(&NetworkPoints::scenario);
    const bool devices = differs(&NetworkPoints::device);
    for (NetworkEvaluation* one : same) {
      one->title = entry.first;
      if (batches) one->title += fmt::format(" batch {}", one->measured.batch);
      if (scenarios) one->title += fmt::format(" {}", one->measured.scenario);
      if (devices) one->title += fmt::format(" on {}", one->measured.device);
    }
  }
}

// Savings are relative to the highest clock of a network with a valid run. It may be lower than that of
// others, for example because of a power cap at higher clocks.
void note_lower_ends(std::vector<NetworkEvaluation>& networks) {
  std::map<std::string, Hertz> highest;
  for (const NetworkEvaluation& network : networks) {
    Hertz& so_far = highest[network.measured.device];
    so_far = std::max(so_far, network.measured.points.back().clock);
  }
  for (NetworkEvaluation& network : networks) {
    const Hertz own = network.measured.points.back().clock, all = highest[network.measured.device];
    if (own == all || !network.energy_saving) continue;
    network.notes.push_back(
        fmt::format("savings are relative to {} MHz, its highest clock with a valid run (others: {} MHz)",
                    shortest_text(own.si() / kMega), shortest_text(all.si() / kMega)));
  }
}

std::optional<double> median_of(const std::vector<const NetworkEvaluation*>& networks,
                                const std::function<std::optional<double>(const NetworkEvaluation&)>& value) {
  std::vector<double> values;
  for (const NetworkEvaluation* network : networks) {
    if (const auto one = value(*network)) values.push_back(*one);
  }
  return statistics::median(values);
}

Medians medians_of(const std::vector<const NetworkEvaluation*>& networks) {
  const auto median = [&](auto value) { return median_of(networks, value); };
  const auto clock = [](const std::optional<ClockOptimum>& optimum) {
    return optimum ? Maybe(optimum->clock.si() / kMega) : Maybe();
  };
  const auto pearson = [](const std::optional<Correlation>& r) {
    return r ? Maybe(r->pearson.estimate) : Maybe();
  };
  const auto spearman = [](const std::optional<Correlation>& r) {
    return r ? Maybe(r->spearman.estimate) : Maybe();
  };
  using One = const NetworkEvaluation&;
  Medians medians;
  medians.networks = static_cast<std::int64_t>(networks.size());
  medians.best_energy_clock_mhz = median([&](One one) { return clock(one.energy); });
  medians.best_edp_clock_mhz = median([&](One one) { return clock(one.energy_delay); });
  medians.knee_mhz = median([](One one) { return one.knee ? Maybe(one.knee->at) : Maybe(); });
  medians.energy_saving = median([](One one) { return one.energy_saving; });
  medians.time_cost = median([](One one) { return one.time_cost; });
  medians.r_power_clock = median([&](One one) { return pearson(one.r_power_clock); });
  medians.r_time_clock = median([&](One one) { return pearson(one.r_time_clock); });
  medians.r_power_time = median([&](One one) { return pearson(one.r_power_time); });
  medians.spearman_time_clock = median([&](One one) { return spearman(one.r_time_clock); });
  medians.relative_time_max = median([](One one) { return Maybe(one.relative_time_max); });
  return medians;
}

// One quantity of all runs as a table of networks and clocks.
std::vector<NetworkRuns> table_of(const std::vector<Observation>& runs,
                                  const std::vector<NetworkEvaluation>& networks,
                                  const std::function<std::optional<double>(const Observation&)>& value) {
  std::map<Hertz, std::size_t> clocks;
  for (const Observation& run : runs) clocks.try_emplace(run.clock, 0);
  std::size_t count = 0;
  for (auto& entry : clocks) entry.second = count++;
  std::vector<NetworkRuns> table;
  auto run = runs.begin();  // runs are sorted as networks are
  for (const NetworkEvaluation& network : networks) {
    NetworkRuns& row = table.emplace_back(count);
    for (std::int64_t i = 0; i < network.measured.runs(); ++i, ++run) {
      if (const auto one = value(*run)) row[clocks.at(run->clock)].push_back(*one);
    }
  }
  return table;
}

VarianceDecomposition variance_of(const std::vector<Observation>& runs,
                                  const std::vector<NetworkEvaluation>& networks, PowerKind kind) {
  const auto time = [](const Observation& run) { return Maybe(run.time.si()); };
  const auto power = [kind](const Observation& run) {
    const auto drawn = power_of(run, kind);
    return drawn ? Maybe(drawn->si()) : Maybe();
  };
  const auto logarithm = [](auto value) {
    return [value](const Observation& run) {
      const Maybe one = value(run);
      return one ? Maybe(std::log(*one)) : one;
    };
  };
  VarianceDecomposition variance;
  std::set<Hertz> clocks;
  for (const Observation& run : runs) clocks.insert(run.clock);
  constexpr std::size_t kMaxCells = 5'000'000;
  if (networks.size() * clocks.size() > kMaxCells) {
    variance.notes.push_back(
        fmt::format("too many networks ({}) and clocks ({})", networks.size(), clocks.size()));
    return variance;
  }
  variance.log_time = decompose(table_of(runs, networks, logarithm(time)));
  variance.log_power = decompose(table_of(runs, networks, logarithm(power)));
  variance.time = decompose(table_of(runs, networks, time));
  variance.power = decompose(table_of(runs, networks, power));
  if (!variance.log_time || !variance.log_power) {
    variance.notes.emplace_back("needs at least two networks at the same two clocks");
    return variance;
  }
  if (!variance.log_time->residual)
    variance.notes.emplace_back("too few repetitions: their variance is part of the interaction");
  const VarianceShares &time_shares = *variance.log_time, &power_shares = *variance.log_power;
  if (time_shares.networks_excluded + time_shares.clocks_excluded > 0) {
    variance.notes.push_back(fmt::format(
        "not every network has runs at every clock, or equally many; based on {} networks and {} clocks, "
        "{} networks and {} clocks excluded",
        time_shares.networks, time_shares.clocks, time_shares.networks_excluded,
        time_shares.clocks_excluded));
  }
  if (power_shares.networks != time_shares.networks || power_shares.clocks != time_shares.clocks) {
    variance.notes.push_back(
        fmt::format("power: based on {} networks at {} clocks", power_shares.networks, power_shares.clocks));
  }
  const bool devices = std::any_of(networks.begin(), networks.end(), [&](const NetworkEvaluation& one) {
    return one.measured.device != networks.front().measured.device;
  });
  if (devices)
    variance.notes.emplace_back("several devices: a network on another device counts as another network");
  return variance;
}

}  // namespace

bool follows_clock(const NetworkEvaluation& network) {
  return network.r_time_clock && network.r_time_clock->spearman.estimate <= -kStrongCorrelation;
}

SweepEvaluation evaluate(const Observations& observations, const EvaluationOptions& options) {
  SweepEvaluation evaluation;
  evaluation.excluded = observations.excluded;
  evaluation.simulated = observations.simulated;
  evaluation.all_simulated = observations.all_simulated;
  const auto runs = within_clocks(observations, options, evaluation.excluded);
  evaluation.runs = static_cast<std::int64_t>(runs.size());
  evaluation.power = power_kind_of(runs);
  auto groups = network_points(runs, evaluation.power);
  evaluation.networks.resize(groups.size());
  AssociationOptions association = options.association;
  association.stop = options.stop;
  parallel_for(groups.size(), worker_count(options.threads, groups.size()), [&](std::size_t i, std::size_t) {
    evaluation.networks[i] = evaluate_network(std::move(groups[i]), association, options.trend);
  });
  set_titles(evaluation.networks);
  note_lower_ends(evaluation.networks);

  std::vector<const NetworkEvaluation*> all, time_bound;
  for (const NetworkEvaluation& network : evaluation.networks) {
    all.push_back(&network);
    if (follows_clock(network)) time_bound.push_back(&network);
  }
  evaluation.medians = medians_of(all);
  evaluation.time_bound_medians = medians_of(time_bound);
  evaluation.variance = variance_of(runs, evaluation.networks, evaluation.power);
  return evaluation;
}

}  // namespace ergon::sweep
