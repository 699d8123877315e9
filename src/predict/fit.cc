// Two things are learned one after the other. Operations, by forests, from their rows. Then whole networks,
// by a few factors, from sums of their operations. How far trees are to be trusted, and intervals, come from
// networks that were held back: what only they consist of is left out while forests for them are grown.

#include "predict/fit.h"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/parallel.h"
#include "base/random.h"
#include "predict/conformal.h"
#include "predict/dataset_samples.h"
#include "predict/network_lessons.h"
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
    if (left_out.contains(sample.group)) continue;
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
  KnownOperations operations;
};

std::set<std::string> kinds_of(const std::vector<Weighted>& rows) {
  std::set<std::string> kinds;
  for (const Weighted& each : rows) kinds.insert(each.row->sample->task.kind);
  return kinds;
}

// Relatives' are not among them.
KnownOperations known_in(const TrainingData& data, const device::Specification& gpu,
                         const std::set<std::string>& left_out) {
  KnownOperations known;
  for (const OperationSample& sample : data.operations) {
    if (!left_out.contains(sample.group)) known.add(sample.task, as_run(sample.condition, gpu));
  }
  return known;
}

std::vector<Part> parts_of(const Job& job, const device::Specification& gpu, const Learned& learned) {
  PlacedJob placed = place(job, gpu, learned.hosts);
  learn(placed, job, gpu, {learned.forests.time, learned.forests.power, learned.kinds, learned.operations});
  return std::move(placed.parts);
}

std::vector<std::string> names_of(const std::vector<NetworkSample>& networks) {
  std::set<std::string> names;
  for (const NetworkSample& each : networks) names.insert(each.job.network);
  return {names.begin(), names.end()};
}

// The operations, at whatever batch, that only networks of this group consist of.
std::set<std::string> only_in(const std::set<std::string>& group,
                              const std::vector<NetworkSample>& networks) {
  std::set<std::string> inside, outside;
  for (const NetworkSample& each : networks) {
    for (const Task& task : each.job.tasks)
      (group.contains(each.job.network) ? inside : outside).insert(group_of(task));
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
      learned[i].emplace(
          Learned{std::move(*forests), std::move(hosts), kinds_of(weighted), known_in(data, gpu, left_out)});
    else
      learned[i].emplace(forests.error());
    const std::size_t so_far = ++done;
    if (worker == 0 && options.progress) options.progress(so_far, learned.size());
  };
  parallel_for(learned.size(), worker_count(options.threads, learned.size()), learn);
  if (options.stop.stop_requested()) return fail(Errc::cancelled, "interrupted");
  // The last has learned from all rows, the others from what is left without some networks.
  if (!*learned.back()) return learned.back()->error();
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (!*learned[i])
      return learned[i]->error().in(fmt::format("with {} held back", fmt::join(groups[i], ", ")));
  }
  model.time = (*learned.back())->forests.time;
  model.power = (*learned.back())->forests.power;
  model.operations = (*learned.back())->operations;

  std::vector<MeasuredNetwork> networks;
  for (const NetworkSample& sample : data.networks) {
    for (std::size_t i = 0; i < groups.size(); ++i) {
      if (groups[i].contains(sample.job.network))
        networks.push_back(
            {&sample, parts_of(sample.job, gpu, **learned.back()), parts_of(sample.job, gpu, **learned[i])});
    }
  }
  if (networks.empty()) return fitted;
  NetworkLessons lessons = learn_from(networks, gpu, options.threads);
  model.trust = std::move(lessons.trust);
  model.corrections = std::move(lessons.corrections);
  model.widths = widths_of(lessons.unknown);
  model.known_widths = widths_of(lessons.known);
  model.scores = scores_of(lessons.unknown);
  const auto known = scores_of(lessons.known, kOfKnownOperations);
  model.scores.insert(model.scores.end(), known.begin(), known.end());
  fitted.held_back = std::move(lessons.unknown);
  fitted.of_known_operations = std::move(lessons.known);
  return fitted;
}

}  // namespace ergon::predict
