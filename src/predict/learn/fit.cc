// Fitting has two stages. First, forests are fitted to operation rows. Then a few correction factors are
// fitted from sums of operations to whole networks. Shrinkage and interval widths come from held-out
// networks: the forests that predict them are fitted without the operations that only these networks have.

#include "predict/learn/fit.h"

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
#include "device/twin/parameter_digest.h"
#include "predict/estimate/iteration_estimate.h"
#include "predict/learn/conformal.h"
#include "predict/learn/network_fit.h"
#include "predict/samples/dataset_samples.h"
#include "predict/samples/operation_rows.h"

namespace ergon::predict {
namespace {

struct Forests {
  Forest time, power;
};

// A mode with fewer rows also uses rows of related devices, with a lower weight.
constexpr std::int64_t kMinRowsOfMode = 50;
constexpr double kRelatedWeight = 0.3;

struct Weighted {
  const OperationRow* row = nullptr;
  double weight = 1;
};

// Rows of a related device in modes with too few rows.
struct RelatedRows {
  std::vector<OperationRow> rows;
  LaunchOverhead overhead;
};

RelatedRows related_rows(const TrainingData& data, const RelatedDevice& device) {
  std::map<graph::Mode, std::int64_t> rows_of_mode;
  for (const OperationSample& sample : data.operations) ++rows_of_mode[sample.config.mode];
  RelatedRows related{operation_rows(*device.data, device.gpu), launch_overhead_of(*device.data, device.gpu)};
  std::erase_if(related.rows, [&](const OperationRow& row) {
    return !row.sample->power || rows_of_mode[row.sample->config.mode] >= kMinRowsOfMode;
  });
  return related;
}

void weigh(const std::vector<OperationRow>& rows, const LaunchOverhead& overhead, double weight,
           const std::set<std::string>& excluded, std::vector<Weighted>& into) {
  for (const OperationRow& row : rows) {
    const OperationSample& sample = *row.sample;
    if (excluded.contains(sample.group)) continue;
    into.push_back({&row, weight * row.busy(overhead.of(sample.task.kind, sample.config.mode))});
  }
}

Result<Forests> grow(const std::vector<Weighted>& rows, const Learner& learner, std::uint64_t seed) {
  Examples times, powers;
  for (const auto& [row, weight] : rows) {
    times.add(row->features, row->time_ratio(), weight);
    if (row->sample->power) powers.add(row->features, row->power_ratio(), weight);
  }
  TreeParameters parameters = TreeParameters::for_rows(times.rows());
  parameters.seed = seed;
  auto time = learner.grow(times, parameters);
  if (!time) return time.error();
  auto power = learner.grow(powers, parameters);
  if (!power) return power.error().in("power");
  return Forests{std::move(*time), std::move(*power)};
}

// Everything fitted to operations, possibly without some of them.
struct Learned {
  Forests forests;
  LaunchOverhead overhead;
  std::set<std::string> kinds;
  MeasuredOperations operations;
};

std::set<std::string> kinds_of(const std::vector<Weighted>& rows) {
  std::set<std::string> kinds;
  for (const Weighted& each : rows) kinds.insert(each.row->sample->task.kind);
  return kinds;
}

// Rows of related devices do not count as measured.
MeasuredOperations measured_in(const TrainingData& data, const device::Specification& gpu,
                               const std::set<std::string>& excluded) {
  MeasuredOperations measured;
  for (const OperationSample& sample : data.operations) {
    if (!excluded.contains(sample.group)) measured.add(sample.task, effective_config(sample.config, gpu));
  }
  return measured;
}

std::vector<TaskCost> costs_of(const Iteration& iteration, const device::Specification& gpu,
                               const Learned& learned) {
  IterationEstimate estimate = estimate_iteration(iteration, gpu, learned.overhead);
  add_learned_ratios(estimate, iteration, gpu,
                     {learned.forests.time, learned.forests.power, learned.kinds, learned.operations});
  return std::move(estimate.costs);
}

std::vector<std::string> names_of(const std::vector<NetworkSample>& networks) {
  std::set<std::string> names;
  for (const NetworkSample& each : networks) names.insert(each.iteration.network);
  return {names.begin(), names.end()};
}

// The operations, at any batch, that only networks of this group have.
std::set<std::string> only_in(const std::set<std::string>& group,
                              const std::vector<NetworkSample>& networks) {
  std::set<std::string> inside, outside;
  for (const NetworkSample& each : networks) {
    for (const Task& task : each.iteration.tasks)
      (group.contains(each.iteration.network) ? inside : outside).insert(group_of(task));
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

void add_source(const RelatedDevice& device, const RelatedRows& related, Model& model) {
  if (related.rows.empty()) return;
  const auto rows = static_cast<std::int64_t>(related.rows.size());
  model.training_sources.push_back(
      {device.gpu.name, "rows of a related device, for modes with too few rows", rows, 0, false});
  for (const OperationRow& row : related.rows) add_to(model.range, *row.sample);
}

Result<> check(const TrainingData& data, const device::Specification& gpu) {
  if (data.device != gpu.name)
    return fail(Errc::invalid_input, "the rows were measured on {}, not on {}", data.device, gpu.name);
  if (data.operations.empty() && data.networks.empty())
    return fail(Errc::invalid_input, "no rows of {} to fit", gpu.name);
  if (data.operations.empty())
    return fail(Errc::invalid_input,
                "{} has rows of networks but no rows of operations; `ergon fit --few` needs none", gpu.name);
  return {};
}

}  // namespace

Result<FitResult> fit(const TrainingData& data, const device::Specification& gpu, const Learner& learner,
                      const FitOptions& options) {
  if (const auto fine = check(data, gpu); !fine) return fine.error();
  FitResult fitted;
  Model& model = fitted.model;
  model.device = gpu.name;
  model.device_parameters = device::parameter_digest(gpu);
  model.source = PredictionSource::learned;
  model.learner = std::string(learner.name());
  model.training_sources = data.sources;
  model.range = range_of(data);
  const auto rows = operation_rows(data, gpu);
  std::vector<RelatedRows> related;
  for (const RelatedDevice& device : options.related) {
    related.push_back(related_rows(data, device));
    add_source(device, related.back(), model);
  }
  model.launch_overhead = launch_overhead_of(data, gpu);

  const auto groups = groups_of(names_of(data.networks), options);
  std::vector<std::optional<Result<Learned>>> learned(groups.size() + 1);
  std::atomic<std::size_t> done = 0;
  const auto learn = [&](std::size_t i, std::size_t worker) {
    if (options.stop.stop_requested()) return;
    const auto excluded = i < groups.size() ? only_in(groups[i], data.networks) : std::set<std::string>();
    LaunchOverhead overhead = launch_overhead_of(data, gpu, excluded);
    std::vector<Weighted> weighted;
    weigh(rows, overhead, 1, excluded, weighted);
    for (const RelatedRows& each : related)
      weigh(each.rows, each.overhead, kRelatedWeight, excluded, weighted);
    auto forests = grow(weighted, learner, options.seed);
    if (forests)
      learned[i].emplace(Learned{std::move(*forests), std::move(overhead), kinds_of(weighted),
                                 measured_in(data, gpu, excluded)});
    else
      learned[i].emplace(forests.error());
    const std::size_t so_far = ++done;
    if (worker == 0 && options.progress) options.progress(so_far, learned.size());
  };
  parallel_for(learned.size(), worker_count(options.threads, learned.size()), learn);
  if (options.stop.stop_requested()) return fail(Errc::cancelled, "interrupted");
  // The last one is fitted to all rows, the others without one group of networks.
  if (!*learned.back()) return learned.back()->error();
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (!*learned[i])
      return learned[i]->error().in(fmt::format("with {} held out", fmt::join(groups[i], ", ")));
  }
  model.time = (*learned.back())->forests.time;
  model.power = (*learned.back())->forests.power;
  model.operations = (*learned.back())->operations;

  std::vector<MeasuredNetwork> networks;
  for (const NetworkSample& sample : data.networks) {
    for (std::size_t i = 0; i < groups.size(); ++i) {
      if (groups[i].contains(sample.iteration.network))
        networks.push_back({&sample, costs_of(sample.iteration, gpu, **learned.back()),
                            costs_of(sample.iteration, gpu, **learned[i])});
    }
  }
  if (networks.empty()) return fitted;
  NetworkFit network_fit = fit_networks(networks, gpu, options.threads);
  model.shrinkage = std::move(network_fit.shrinkage);
  model.corrections = std::move(network_fit.corrections);
  model.widths = widths_of(network_fit.held_out);
  model.measured_widths = widths_of(network_fit.with_measured_operations);
  model.scores = scores_of(network_fit.held_out);
  const auto measured = scores_of(network_fit.with_measured_operations, kWithMeasuredOperations);
  model.scores.insert(model.scores.end(), measured.begin(), measured.end());
  fitted.held_out = std::move(network_fit.held_out);
  fitted.with_measured_operations = std::move(network_fit.with_measured_operations);
  return fitted;
}

}  // namespace ergon::predict
