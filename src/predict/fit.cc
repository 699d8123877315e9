// Two things are learned one after the other. Operations, by forests, from their rows. Then whole networks,
// by a few factors, from sums of operations that were predicted without that network: what only it consists
// of is left out while the forests for it are grown. The factors, the trust and the intervals all come from
// those.

#include "predict/fit.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "base/parallel.h"
#include "base/random.h"
#include "predict/conformal.h"
#include "predict/operation_rows.h"
#include "predict/placed_job.h"

namespace ergon::predict {
namespace {

struct Forests {
  Forest time, power;
};

// Fewer rows of a mode than this are helped out by relatives', which count for less.
constexpr std::int64_t kEnoughOfAMode = 50;
constexpr double kBorrowed = 0.3;

// A row with how much it counts.
struct Weighted {
  const OperationRow* row = nullptr;
  double weight = 1;
};

// Rows of relatives in modes of which there are too few.
struct Borrowed {
  std::vector<OperationRow> rows;
  HostCosts hosts;
};

Borrowed borrow(const TrainingData& data, const Relative& relative) {
  std::map<graph::Mode, std::int64_t> own;
  for (const OperationSample& sample : data.operations) ++own[sample.condition.mode];
  Borrowed borrowed{operation_rows(*relative.data, relative.gpu), host_costs(*relative.data, relative.gpu)};
  std::erase_if(borrowed.rows, [&](const OperationRow& row) {
    return !row.sample->power || own[row.sample->condition.mode] >= kEnoughOfAMode;
  });
  return borrowed;
}

void weigh(const std::vector<OperationRow>& rows, const HostCosts& hosts, double weight,
           const std::set<std::string>& left_out, std::vector<Weighted>& into) {
  for (const OperationRow& row : rows) {
    const OperationSample& sample = *row.sample;
    if (left_out.contains(sample.task.id)) continue;
    into.push_back({&row, weight * row.busy(hosts.of(sample.task.kind, sample.condition.mode))});
  }
}

Result<Forests> grow(const std::vector<Weighted>& rows, const Learner& learner, std::uint64_t seed) {
  Examples times, powers;
  for (const auto& [row, weight] : rows) {
    times.add(row->features, row->time_ratio(), weight);
    if (row->sample->power) powers.add(row->features, row->power_ratio(), weight);
  }
  Recipe recipe = Recipe::for_rows(times.rows());
  recipe.seed = seed;
  auto time = learner.grow(times, recipe);
  if (!time) return time.error();
  auto power = learner.grow(powers, recipe);
  if (!power) return power.error().in("power");
  return Forests{std::move(*time), std::move(*power)};
}

// What is known of operations without some of them.
struct Learned {
  Forests forests;
  HostCosts hosts;
  std::set<std::string> kinds;
};

std::set<std::string> kinds_of(const std::vector<Weighted>& rows) {
  std::set<std::string> kinds;
  for (const Weighted& each : rows) kinds.insert(each.row->sample->task.kind);
  return kinds;
}

std::vector<Part> parts_of(const Job& job, const device::Specification& gpu, const Learned& learned) {
  PlacedJob placed = place(job, gpu, learned.hosts);
  learn(placed, job, gpu, learned.forests.time, learned.forests.power, learned.kinds);
  return std::move(placed.parts);
}

// A measured network with the parts that forests without it predict.
struct MeasuredWhole {
  const NetworkSample* sample = nullptr;
  std::vector<Part> parts;
};

std::vector<std::string> names_of(const std::vector<NetworkSample>& networks) {
  std::set<std::string> names;
  for (const NetworkSample& each : networks) names.insert(each.job.network);
  return {names.begin(), names.end()};
}

// By network: the operations that only networks of its group consist of.
std::set<std::string> only_in(const std::set<std::string>& group,
                              const std::vector<NetworkSample>& networks) {
  std::set<std::string> inside, outside;
  for (const NetworkSample& each : networks) {
    for (const Task& task : each.job.tasks)
      (group.contains(each.job.network) ? inside : outside).insert(task.id);
  }
  std::set<std::string> only;
  std::set_difference(inside.begin(), inside.end(), outside.begin(), outside.end(),
                      std::inserter(only, only.end()));
  return only;
}

std::vector<std::set<std::string>> groups_of(std::vector<std::string> names, const FitOptions& options) {
  Random random(options.seed);
  for (std::size_t left = names.size(); left > 1; --left)
    std::swap(names[left - 1], names[random.below(left)]);
  std::vector<std::set<std::string>> groups(std::min(names.size(), std::max<std::size_t>(2, options.folds)));
  if (groups.empty()) return groups;
  for (std::size_t i = 0; i < names.size(); ++i) groups[i % groups.size()].insert(names[i]);
  return groups;
}

Observation observation_of(const MeasuredWhole& whole, const Trusts& trusts) {
  const NetworkSample& sample = *whole.sample;
  return {sample.job.network, kind_of(sample.job.condition),
          sums_of(whole.parts, trusts.at(sample.job.condition.mode)), sample.time, sample.power};
}

// Every network as predicted by corrections that were fitted without it.
std::vector<HeldBack> held_back_of(const std::vector<MeasuredWhole>& wholes, const Trusts& trusts,
                                   const device::Specification& gpu, std::size_t threads) {
  std::vector<Observation> observations;
  observations.reserve(wholes.size());
  for (const MeasuredWhole& each : wholes) observations.push_back(observation_of(each, trusts));
  std::map<std::string, Corrections> without;
  for (const Observation& each : observations) without[each.network];
  std::vector<std::pair<const std::string, Corrections>*> places;
  for (auto& place : without) places.push_back(&place);
  parallel_for(places.size(), worker_count(threads, places.size()), [&](std::size_t i, std::size_t) {
    std::vector<Observation> others;
    for (const Observation& other : observations) {
      if (other.network != places[i]->first) others.push_back(other);
    }
    places[i]->second = fit_corrections(others, gpu);
  });
  std::vector<HeldBack> held_back;
  for (std::size_t i = 0; i < wholes.size(); ++i) {
    const Observation& each = observations[i];
    const Corrections& corrections = without[each.network];
    const Whole whole = whole_of(each.sums, corrections.of(each.kind), corrections, gpu);
    held_back.push_back({each.network,
                         wholes[i].sample->job.condition,
                         whole.waits(),
                         whole.time,
                         each.time,
                         whole.power,
                         each.power,
                         {}});
  }
  return held_back;
}

// Intervals that each network would have got from all others.
void add_widths(std::vector<HeldBack>& held_back) {
  std::map<std::string, std::map<Host, WidthPair>> known;
  for (HeldBack& each : held_back) {
    auto found = known.find(each.network);
    if (found == known.end()) {
      std::vector<HeldBack> others;
      for (const HeldBack& other : held_back) {
        if (other.network != each.network) others.push_back(other);
      }
      found = known.emplace(each.network, widths_of(others)).first;
    }
    each.widths = found->second[each.condition.host].of(each.waits);
  }
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
Trust best_trust(const std::vector<MeasuredWhole>& wholes, graph::Mode mode, const device::Specification& gpu,
                 std::size_t threads) {
  Trust best;
  std::optional<double> least;
  for (const double learned : {0.6, 0.8, 1.0}) {
    for (const double waiting : {0.0, 0.3, 0.6, 1.0}) {
      const Trust trust{learned, waiting};
      const double error = mean_error(held_back_of(wholes, {{mode, trust}}, gpu, threads));
      if (least && error >= *least) continue;
      least = error;
      best = trust;
    }
  }
  return best;
}

Trusts best_trusts(const std::vector<MeasuredWhole>& wholes, const device::Specification& gpu,
                   std::size_t threads) {
  std::map<graph::Mode, std::vector<MeasuredWhole>> modes;
  for (const MeasuredWhole& each : wholes) modes[each.sample->job.condition.mode].push_back(each);
  Trusts trusts;
  for (const auto& [mode, own] : modes) trusts[mode] = best_trust(own, mode, gpu, threads);
  return trusts;
}

void add_source(const Relative& relative, const Borrowed& borrowed, Model& model) {
  if (borrowed.rows.empty()) return;
  const auto rows = static_cast<std::int64_t>(borrowed.rows.size());
  model.sources.push_back({relative.gpu.name, "rows of a relative, where there are too few", rows, 0, false});
  for (const OperationRow& row : borrowed.rows) add_to(model.range, *row.sample);
}

Result<> check(const TrainingData& data, const device::Specification& gpu) {
  if (data.device != gpu.name)
    return fail(Errc::invalid_input, "the rows are of {}, not of {}", data.device, gpu.name);
  if (data.operations.empty() && data.networks.empty())
    return fail(Errc::invalid_input, "no rows of {} to learn from", gpu.name);
  if (data.operations.empty())
    return fail(Errc::invalid_input,
                "whole networks of {} only: operations are learned from; --few takes these", gpu.name);
  return {};
}

}  // namespace

Result<Fitted> fit(const TrainingData& data, const device::Specification& gpu, const Learner& learner,
                   const FitOptions& options) {
  if (const auto fine = check(data, gpu); !fine) return fine.error();
  Fitted fitted;
  Model& model = fitted.model;
  model.device = gpu.name;
  model.regime = Regime::learned;
  model.learner = std::string(learner.name());
  model.sources = data.sources;
  model.range = range_of(data);
  const auto rows = operation_rows(data, gpu);
  std::vector<Borrowed> borrowed;
  for (const Relative& relative : options.relatives) {
    borrowed.push_back(borrow(data, relative));
    add_source(relative, borrowed.back(), model);
  }
  model.hosts = host_costs(data, gpu);

  const auto groups = groups_of(names_of(data.networks), options);
  std::vector<std::optional<Result<Learned>>> learned(groups.size() + 1);
  std::atomic<std::size_t> done = 0;
  const auto learn = [&](std::size_t i, std::size_t worker) {
    if (options.stop.stop_requested()) return;
    const auto left_out = i < groups.size() ? only_in(groups[i], data.networks) : std::set<std::string>();
    HostCosts hosts = host_costs(data, gpu, left_out);
    std::vector<Weighted> weighted;
    weigh(rows, hosts, 1, left_out, weighted);
    for (const Borrowed& each : borrowed) weigh(each.rows, each.hosts, kBorrowed, left_out, weighted);
    auto forests = grow(weighted, learner, options.seed);
    if (forests)
      learned[i].emplace(Learned{std::move(*forests), std::move(hosts), kinds_of(weighted)});
    else
      learned[i].emplace(forests.error());
    const std::size_t so_far = ++done;
    if (worker == 0 && options.progress) options.progress(so_far, learned.size());
  };
  parallel_for(learned.size(), worker_count(options.threads, learned.size()), learn);
  if (options.stop.stop_requested()) return fail(Errc::cancelled, "interrupted");
  for (const auto& each : learned) {
    if (!*each) return each->error();
  }
  model.time = (*learned.back())->forests.time;
  model.power = (*learned.back())->forests.power;

  std::vector<MeasuredWhole> wholes;
  for (const NetworkSample& sample : data.networks) {
    for (std::size_t i = 0; i < groups.size(); ++i) {
      if (groups[i].contains(sample.job.network))
        wholes.push_back({&sample, parts_of(sample.job, gpu, **learned[i])});
    }
  }
  if (wholes.empty()) return fitted;
  model.trust = best_trusts(wholes, gpu, options.threads);
  std::vector<Observation> observations;
  for (const MeasuredWhole& each : wholes) observations.push_back(observation_of(each, model.trust));
  model.corrections = fit_corrections(observations, gpu);
  fitted.held_back = held_back_of(wholes, model.trust, gpu, options.threads);
  model.widths = widths_of(fitted.held_back);
  add_widths(fitted.held_back);
  model.scores = scores_of(fitted.held_back);
  return fitted;
}

}  // namespace ergon::predict
