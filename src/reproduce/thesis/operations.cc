#include "reproduce/thesis/operations.h"

#include <cmath>
#include <set>

#include <fmt/format.h>

#include "base/random.h"
#include "device/twin/catalog.h"
#include "predict/learn/cross_validation.h"
#include "predict/samples/operation_rows.h"

namespace ergon::reproduce {
namespace {

using predict::ConfigKey;
using predict::HeldOutOperation;

constexpr std::uint64_t kSeed = 1;
constexpr std::size_t kHeldOutEvery = 5;  // one in five operations is held out
constexpr std::size_t kMinRows = 50;      // min rows per mode and precision

ConfigKey kind_of(const predict::OperationSample& sample) {
  return {sample.config.mode, sample.config.precision};
}

void add_scores(const std::string& device, const std::vector<HeldOutOperation>& held_out_rows,
                std::vector<OperationScore>& into) {
  std::map<ConfigKey, std::vector<HeldOutOperation>> by_kind;
  for (const HeldOutOperation& each : held_out_rows) by_kind[kind_of(*each.sample)].push_back(each);
  for (const auto& [kind, part] : by_kind) {
    OperationScore score{device, kind, {}, {}};
    for (const predict::Score& each : predict::scores_of(part))
      (each.what.ends_with("time") ? score.time : score.power) = each;
    into.push_back(std::move(score));
  }
}

std::set<std::string> chosen_groups(const predict::TrainingData& data) {
  std::set<std::string> unique;
  for (const auto& sample : data.operations) unique.insert(sample.group);
  std::vector<std::string> groups(unique.begin(), unique.end());
  Random random(kSeed);
  for (std::size_t left = groups.size(); left > 1; --left)
    std::swap(groups[left - 1], groups[random.below(left)]);
  groups.resize(groups.size() / kHeldOutEvery);
  return {groups.begin(), groups.end()};
}

// Learns from the rows of one kind outside `test_groups` and predicts those inside.
Result<> hold_out(const std::vector<predict::OperationRow>& rows, const ConfigKey& kind,
                  const std::set<std::string>& test_groups, const predict::Learner& learner,
                  std::vector<HeldOutOperation>& into) {
  predict::Examples times, powers;
  for (const predict::OperationRow& row : rows) {
    if (kind_of(*row.sample) != kind || test_groups.contains(row.sample->group)) continue;
    times.add(row.features, row.time_ratio());
    powers.add(row.features, row.power_ratio());
  }
  const auto time = learner.grow(times, predict::TreeParameters::for_rows(times.rows()));
  if (!time) return time.error();
  const auto power = learner.grow(powers, predict::TreeParameters::for_rows(powers.rows()));
  if (!power) return power.error();
  for (const predict::OperationRow& row : rows) {
    if (kind_of(*row.sample) != kind || !test_groups.contains(row.sample->group)) continue;
    into.push_back({row.sample, row.settled * std::exp(time->sum(row.features)),
                    row.settled_power * std::exp(power->sum(row.features))});
  }
  return {};
}

Result<std::vector<HeldOutOperation>> held_out(const predict::TrainingData& data,
                                               const device::Specification& gpu,
                                               const predict::Learner& learner) {
  const auto rows = predict::operation_rows(data, gpu);
  const std::set<std::string> test_groups = chosen_groups(data);
  std::map<ConfigKey, std::size_t> kinds;
  for (const auto& row : rows) ++kinds[kind_of(*row.sample)];
  std::vector<HeldOutOperation> all;
  for (const auto& [kind, count] : kinds) {
    if (count < kMinRows) continue;
    if (const auto done = hold_out(rows, kind, test_groups, learner, all); !done) return done.error();
  }
  return all;
}

Result<std::vector<HeldOutOperation>> cross_validated(const predict::TrainingData& data,
                                                      const device::Specification& gpu,
                                                      const predict::Learner& learner, std::uint64_t folds,
                                                      const Environment& environment) {
  predict::CrossValidationOptions options;
  options.folds = folds;
  options.seed = kSeed;
  StepProgress progress(environment, fmt::format("cross-validating {}", gpu.title));
  options.progress = [&](std::size_t done, std::size_t of) { progress.set(done, of); };
  options.stop = environment.stop;
  return predict::cross_validate(data, gpu, learner, options);
}

}  // namespace

Result<OperationStudy> study_operations(const predict::TrainingDataByDevice& rows,
                                        const predict::Learner& learner, std::uint64_t folds,
                                        const Environment& environment) {
  OperationStudy study;
  study.folds = folds;
  for (const auto& [device, data] : rows) {
    if (data.operations.empty()) continue;
    const auto gpu = device::find_device(device);
    if (!gpu) return gpu.error();
    for (const auto& sample : data.operations) ++study.rows[device][kind_of(sample)];
    const auto validated = cross_validated(data, *gpu, learner, folds, environment);
    if (!validated) return validated.error();
    add_scores(device, *validated, study.cross_validated);
    if (environment.stop.stop_requested()) return fail(Errc::cancelled, "interrupted");
    const auto tested = held_out(data, *gpu, learner);
    if (!tested) return tested.error();
    add_scores(device, *tested, study.held_out);
  }
  return study;
}

const OperationScore* find(const std::vector<OperationScore>& scores, const std::string& device,
                           const predict::ConfigKey& kind) {
  for (const OperationScore& each : scores) {
    if (each.device == device && each.kind == kind) return &each;
  }
  return nullptr;
}

}  // namespace ergon::reproduce
