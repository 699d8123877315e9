#include "predict/samples/dataset_samples.h"

#include <map>
#include <set>

#include <fmt/format.h>

#include "base/statistics/quantile.h"
#include "base/text.h"

namespace ergon::predict {
namespace {

using OperationKey = std::pair<std::string, WorkloadConfig>;

WorkloadConfig config_of(const profile::Row& row) {
  return {row.condition.batch, row.condition.mode, row.condition.precision, LaunchHost::native};
}

// Builds networks by name and configuration, once each, and finds their tasks by id.
class TaskCatalog {
 public:
  explicit TaskCatalog(const FindNetwork& find) : find_(find) {}

  const Iteration* iteration(const std::string& name, const WorkloadConfig& config) {
    const std::pair key{name, config};
    if (const auto known = iterations_.find(key); known != iterations_.end())
      return known->second ? &*known->second : nullptr;
    return make(key);
  }
  const Task* task(const std::string& id, const WorkloadConfig& config) const {
    const auto found = tasks_.find({id, config});
    return found == tasks_.end() ? nullptr : &found->second;
  }
  const std::map<std::string, std::string>& unknown() const { return unknown_; }

 private:
  const Iteration* make(const std::pair<std::string, WorkloadConfig>& key) {
    const auto& [name, config] = key;
    auto& place = iterations_[key];
    auto network = networks_.find(name);
    if (network == networks_.end()) network = networks_.emplace(name, find_(name)).first;
    if (!network->second) {
      unknown_.emplace(name, network->second.error().message);
      return nullptr;
    }
    auto iteration = iteration_of(*network->second, config);
    if (!iteration) {
      unknown_.emplace(name, iteration.error().message);
      return nullptr;
    }
    iteration->network = name;
    for (const Task& task : iteration->tasks) tasks_.emplace(OperationKey{task.id, config}, task);
    place = std::move(*iteration);
    return &*place;
  }

  const FindNetwork& find_;
  std::map<std::string, Result<graph::Network>> networks_;
  std::map<std::pair<std::string, WorkloadConfig>, std::optional<Iteration>> iterations_;
  std::map<OperationKey, Task> tasks_;
  std::map<std::string, std::string> unknown_;
};

// Energy of the window divided by its time, if measured: power readings miss short peaks.
std::optional<Watts> power_of(const profile::Row& row) {
  if (row.energy && *row.energy > Joules{0}) return *row.energy / *row.time;
  return row.power;
}

struct Repeats {
  std::vector<double> times, powers;
};

bool usable(const profile::Row& row) {
  return row.status == profile::Status::measured && row.valid && row.time && *row.time > Seconds{0};
}

OperationSample operation_of(const profile::Row& row, const Task& task) {
  OperationSample sample;
  sample.task = task;
  sample.config = config_of(row);
  sample.group = group_of(task);
  sample.clock = row.requested_clock;
  sample.time = *row.time;
  sample.power = power_of(row);
  sample.kernels_only = row.launch == profile::Launch::replay;
  if (row.host_time && !sample.kernels_only) sample.host = row.host_time;
  return sample;
}

}  // namespace

std::string group_of(const Task& task) {
  const Geometry& g = task.geometry;
  return fmt::format("{} {} {} {} {} {} {} {} {}", task.kind, g.channels, g.height, g.width, g.out_channels,
                     g.kernel, g.stride, g.groups, g.inputs);
}

Result<> add_dataset(const profile::DatasetContents& contents, const TrainingSource& source,
                     const FindNetwork& find, TrainingData& into) {
  TaskCatalog catalog(find);
  std::set<device::Precision> precisions;
  for (const profile::Row& row : contents.rows) precisions.insert(row.condition.precision);
  for (const profile::Composition& each : contents.compositions) {
    for (const device::Precision precision : precisions)
      catalog.iteration(each.network, {each.batch, each.mode, precision, LaunchHost::native});
  }
  TrainingSource counted = source;
  std::map<std::string, std::int64_t> unknown_operations;
  std::int64_t unusable = 0;
  std::map<std::tuple<std::string, WorkloadConfig, std::optional<Hertz>>, Repeats> networks;
  for (const profile::Row& row : contents.rows) {
    if (!usable(row)) {
      ++unusable;
      continue;
    }
    const bool replay = row.launch == profile::Launch::replay;
    if (row.subject.kind == profile::Subject::Kind::network) {
      if (replay || catalog.iteration(row.subject.id, config_of(row)) == nullptr) continue;
      Repeats& repeats = networks[{row.subject.id, config_of(row), row.requested_clock}];
      repeats.times.push_back(row.time->si());
      if (const auto power = power_of(row)) repeats.powers.push_back(power->si());
      continue;
    }
    const Task* task = catalog.task(row.subject.id, config_of(row));
    if (task == nullptr) {
      ++unknown_operations[row.subject.name];
      continue;
    }
    into.operations.push_back(operation_of(row, *task));
    ++counted.operations;
  }
  for (const auto& [key, repeats] : networks) {
    const auto& [name, config, clock] = key;
    NetworkSample sample{
        *catalog.iteration(name, config), clock, Seconds{*statistics::median(repeats.times)}, {}};
    if (!repeats.powers.empty()) sample.power = Watts{*statistics::median(repeats.powers)};
    into.networks.push_back(std::move(sample));
    ++counted.networks;
  }
  if (unusable > 0)
    into.skipped.push_back(fmt::format("{} invalid or not measured",
                                       ergon::counted(static_cast<std::uint64_t>(unusable), "row")));
  for (const auto& [name, why] : catalog.unknown()) into.skipped.push_back(fmt::format("{}: {}", name, why));
  for (const auto& [kind, count] : unknown_operations)
    into.skipped.push_back(fmt::format("{} of {}: in no network of the dataset",
                                       ergon::counted(static_cast<std::uint64_t>(count), "row"), kind));
  into.sources.push_back(std::move(counted));
  return {};
}

}  // namespace ergon::predict
