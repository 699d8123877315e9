#include "reproduce/thesis_operations.h"

#include <cmath>
#include <set>

#include <fmt/format.h>

#include "base/random.h"
#include "device/twin/catalogue.h"
#include "predict/cross_validation.h"
#include "predict/operation_rows.h"
#include "predict/watched.h"
#include "predict/xgboost/xgboost_learner.h"

namespace ergon::app {
namespace {

using predict::HeldBackOperation;
using predict::Kind;

constexpr std::uint64_t kSeed = 1;
constexpr std::size_t kHeldOut = 5;  // one in so many operations
constexpr std::size_t kEnough = 50;  // rows to learn a kind from

Kind kind_of(const predict::OperationSample& sample) {
  return {sample.condition.mode, sample.condition.precision};
}

void add_scores(const std::string& device, const std::vector<HeldBackOperation>& held_back,
                std::vector<OperationScore>& into) {
  std::map<Kind, std::vector<HeldBackOperation>> by_kind;
  for (const HeldBackOperation& each : held_back) by_kind[kind_of(*each.sample)].push_back(each);
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
  groups.resize(groups.size() / kHeldOut);
  return {groups.begin(), groups.end()};
}

// Learns from the rows of one kind outside `asked`, and predicts those in it.
Result<> hold_out(const std::vector<predict::OperationRow>& rows, const Kind& kind,
                  const std::set<std::string>& asked, std::vector<HeldBackOperation>& into) {
  predict::Examples times, powers;
  for (const predict::OperationRow& row : rows) {
    if (kind_of(*row.sample) != kind || asked.contains(row.sample->group)) continue;
    times.add(row.features, row.time_ratio());
    powers.add(row.features, row.power_ratio());
  }
  const predict::XgboostLearner learner;
  const auto time = learner.grow(times, predict::Recipe::for_rows(times.rows()));
  if (!time) return time.error();
  const auto power = learner.grow(powers, predict::Recipe::for_rows(powers.rows()));
  if (!power) return power.error();
  for (const predict::OperationRow& row : rows) {
    if (kind_of(*row.sample) != kind || !asked.contains(row.sample->group)) continue;
    into.push_back({row.sample, row.settled * std::exp(time->sum(row.features)),
                    row.settled_power * std::exp(power->sum(row.features))});
  }
  return {};
}

Result<std::vector<HeldBackOperation>> held_out(const predict::TrainingData& data,
                                                const device::Specification& gpu) {
  const auto rows = predict::operation_rows(data, gpu);
  const std::set<std::string> asked = chosen_groups(data);
  std::map<Kind, std::size_t> kinds;
  for (const auto& row : rows) ++kinds[kind_of(*row.sample)];
  std::vector<HeldBackOperation> all;
  for (const auto& [kind, count] : kinds) {
    if (count < kEnough) continue;
    if (const auto done = hold_out(rows, kind, asked, all); !done) return done.error();
  }
  return all;
}

Result<std::vector<HeldBackOperation>> cross_validated(const predict::TrainingData& data,
                                                       const device::Specification& gpu, std::uint64_t folds,
                                                       Shell& shell) {
  predict::CrossValidationOptions options;
  options.folds = folds;
  options.seed = kSeed;
  Watched watched(shell, fmt::format("learning {} without a fold", gpu.title));
  options.progress = std::ref(watched);
  options.stop = shell.stop();
  return predict::cross_validate(data, gpu, predict::XgboostLearner(), options);
}

}  // namespace

Result<OperationStudy> study_operations(const DeviceRows& rows, std::uint64_t folds, Shell& shell) {
  OperationStudy study;
  study.folds = folds;
  for (const auto& [device, data] : rows) {
    if (data.operations.empty()) continue;
    const auto gpu = device::find_device(device);
    if (!gpu) return gpu.error();
    for (const auto& sample : data.operations) ++study.rows[device][kind_of(sample)];
    const auto validated = cross_validated(data, *gpu, folds, shell);
    if (!validated) return validated.error();
    add_scores(device, *validated, study.cross_validated);
    if (shell.stop().stop_requested()) return fail(Errc::cancelled, "interrupted");
    const auto asked = held_out(data, *gpu);
    if (!asked) return asked.error();
    add_scores(device, *asked, study.held_out);
  }
  return study;
}

const OperationScore* find(const std::vector<OperationScore>& scores, const std::string& device,
                           const predict::Kind& kind) {
  for (const OperationScore& each : scores) {
    if (each.device == device && each.kind == kind) return &each;
  }
  return nullptr;
}

}  // namespace ergon::app
