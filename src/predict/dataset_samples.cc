#include "predict/dataset_samples.h"

#include <map>
#include <set>

#include <fmt/format.h>

#include "base/statistics/quantile.h"
#include "base/text.h"

namespace ergon::predict {
namespace {

using OperationKey = std::pair<std::string, Condition>;

Condition condition_of(const profile::Row& row) {
  return {row.condition.batch, row.condition.mode, row.condition.precision, Host::native};
}

// Every network that rows or compositions name, at every condition it was run at.
class Workbench {
 public:
  explicit Workbench(const FindNetwork& find) : find_(find) {}

  const Job* job(const std::string& name, const Condition& condition) {
    const std::pair key{name, condition};
    if (const auto known = jobs_.find(key); known != jobs_.end())
      return known->second ? &*known->second : nullptr;
    return make(key);
  }
  const Task* task(const std::string& id, const Condition& condition) const {
    const auto found = tasks_.find({id, condition});
    return found == tasks_.end() ? nullptr : &found->second;
  }
  const std::map<std::string, std::string>& unknown() const { return unknown_; }

 private:
  const Job* make(const std::pair<std::string, Condition>& key) {
    const auto& [name, condition] = key;
    auto& place = jobs_[key];
    auto network = networks_.find(name);
    if (network == networks_.end()) network = networks_.emplace(name, find_(name)).first;
    if (!network->second) {
      unknown_.emplace(name, network->second.error().message);
      return nullptr;
    }
    auto job = job_of(*network->second, condition);
    if (!job) {
      unknown_.emplace(name, job.error().message);
      return nullptr;
    }
    job->network = name;
    for (const Task& task : job->tasks) tasks_.emplace(OperationKey{task.id, condition}, task);
    place = std::move(*job);
    return &*place;
  }

  const FindNetwork& find_;
  std::map<std::string, Result<graph::Network>> networks_;
  std::map<std::pair<std::string, Condition>, std::optional<Job>> jobs_;
  std::map<OperationKey, Task> tasks_;
  std::map<std::string, std::string> unknown_;
};

// The energy of the whole window over its time, where it was measured: readings miss what is short.
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
  sample.condition = condition_of(row);
  sample.group = group_of(task);
  sample.clock = row.clock_asked;
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

Result<> add_dataset(const profile::Contents& contents, const Source& source, const FindNetwork& find,
                     TrainingData& into) {
  Workbench bench(find);
  std::set<device::Precision> precisions;
  for (const profile::Row& row : contents.rows) precisions.insert(row.condition.precision);
  for (const profile::Composition& each : contents.compositions) {
    for (const device::Precision precision : precisions)
      bench.job(each.network, {each.batch, each.mode, precision, Host::native});
  }
  Source counted = source;
  std::map<std::string, std::int64_t> strangers;
  std::int64_t unusable = 0;
  std::map<std::tuple<std::string, Condition, std::optional<Hertz>>, Repeats> wholes;
  for (const profile::Row& row : contents.rows) {
    if (!usable(row)) {
      ++unusable;
      continue;
    }
    const bool replay = row.launch == profile::Launch::replay;
    if (row.subject.what == profile::Subject::What::network) {
      if (replay || bench.job(row.subject.id, condition_of(row)) == nullptr) continue;
      Repeats& whole = wholes[{row.subject.id, condition_of(row), row.clock_asked}];
      whole.times.push_back(row.time->si());
      if (const auto power = power_of(row)) whole.powers.push_back(power->si());
      continue;
    }
    const Task* task = bench.task(row.subject.id, condition_of(row));
    if (task == nullptr) {
      ++strangers[row.subject.name];
      continue;
    }
    into.operations.push_back(operation_of(row, *task));
    ++counted.operations;
  }
  for (const auto& [key, whole] : wholes) {
    const auto& [name, condition, clock] = key;
    NetworkSample sample{*bench.job(name, condition), clock, Seconds{*statistics::median(whole.times)}, {}};
    if (!whole.powers.empty()) sample.power = Watts{*statistics::median(whole.powers)};
    into.networks.push_back(std::move(sample));
    ++counted.networks;
  }
  if (unusable > 0)
    into.skipped.push_back(fmt::format("{} not valid or not measured",
                                       ergon::counted(static_cast<std::uint64_t>(unusable), "row")));
  for (const auto& [name, why] : bench.unknown()) into.skipped.push_back(fmt::format("{}: {}", name, why));
  for (const auto& [kind, count] : strangers)
    into.skipped.push_back(fmt::format("{} of {} that no known network consists of",
                                       ergon::counted(static_cast<std::uint64_t>(count), "row"), kind));
  into.sources.push_back(std::move(counted));
  return {};
}

}  // namespace ergon::predict
