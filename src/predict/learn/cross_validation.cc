#include "predict/learn/cross_validation.h"

#include <atomic>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/parallel.h"
#include "base/random.h"
#include "base/text.h"
#include "predict/samples/operation_rows.h"
#include "profile/run_condition.h"

namespace ergon::predict {
namespace {

using Fold = std::map<std::string, std::size_t>;

Fold folds_of(const TrainingData& data, const CrossValidationOptions& options) {
  std::set<std::string> unique;
  for (const OperationSample& sample : data.operations) unique.insert(sample.group);
  std::vector<std::string> groups(unique.begin(), unique.end());
  Random random(options.seed);
  for (std::size_t left = groups.size(); left > 1; --left)
    std::swap(groups[left - 1], groups[random.below(left)]);
  Fold folds;
  for (std::size_t i = 0; i < groups.size(); ++i) folds[groups[i]] = i % options.folds;
  return folds;
}

// Fits one configuration without one fold and predicts that fold.
Result<> predict_fold(const std::vector<OperationRow>& rows, const std::vector<std::size_t>& fold_of,
                      const ConfigKey& key, std::size_t fold, const Learner& learner,
                      const CrossValidationOptions& options, std::vector<HeldOutOperation>& into) {
  Examples times, powers;
  std::vector<std::size_t> test;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (key_of(rows[i].sample->config) != key) continue;
    if (fold_of[i] == fold) {
      test.push_back(i);
      continue;
    }
    times.add(rows[i].features, rows[i].time_ratio());
    if (rows[i].sample->power) powers.add(rows[i].features, rows[i].power_ratio());
  }
  if (test.empty()) return {};
  TreeParameters parameters = options.parameters.value_or(TreeParameters::for_rows(times.rows()));
  parameters.seed = options.seed;
  const auto time = learner.grow(times, parameters);
  if (!time) return time.error();
  std::optional<Forest> power;
  if (powers.rows() > 0) {
    auto grown = learner.grow(powers, parameters);
    if (!grown) return grown.error();
    power = std::move(*grown);
  }
  for (const std::size_t i : test) {
    HeldOutOperation& each = into[i];
    each.predicted = rows[i].settled * std::exp(time->sum(rows[i].features));
    if (power && rows[i].sample->power)
      each.predicted_power = rows[i].settled_power * std::exp(power->sum(rows[i].features));
  }
  return {};
}

Score score_of(std::string what, const std::vector<std::pair<double, double>>& pairs) {
  Score score{std::move(what), static_cast<std::int64_t>(pairs.size()), 0, {}, {}};
  double mean = 0;
  const auto count = static_cast<double>(pairs.size());
  for (const auto& [predicted, measured] : pairs) {
    score.mape += std::abs(predicted / measured - 1) / count;
    mean += measured / count;
  }
  double left = 0, all = 0;
  for (const auto& [predicted, measured] : pairs) {
    left += (predicted - measured) * (predicted - measured);
    all += (measured - mean) * (measured - mean);
  }
  if (all > 0) score.r_squared = 1 - left / all;
  return score;
}

// "operations, inference, tf32"
std::string text_of(const ConfigKey& key) {
  return fmt::format("operations, {}, {}", profile::name_of(key.mode), device::name_of(key.precision));
}

}  // namespace

std::vector<std::string> too_small_for_cross_validation(const TrainingData& data) {
  std::map<ConfigKey, std::uint64_t> rows;
  for (const OperationSample& sample : data.operations) ++rows[key_of(sample.config)];
  std::vector<std::string> texts;
  for (const auto& [key, count] : rows) {
    if (count < kMinCrossValidationRows)
      texts.push_back(fmt::format("{}: {}; cross-validation needs {}", text_of(key), counted(count, "row"),
                                  kMinCrossValidationRows));
  }
  return texts;
}

Result<std::vector<HeldOutOperation>> cross_validate(const TrainingData& data,
                                                     const device::Specification& gpu, const Learner& learner,
                                                     const CrossValidationOptions& options) {
  if (options.folds < 2) return fail(Errc::invalid_input, "--folds: cross-validation needs at least 2 folds");
  const auto rows = operation_rows(data, gpu);
  const Fold folds = folds_of(data, options);
  std::vector<std::size_t> fold_of;
  std::map<ConfigKey, std::uint64_t> configs;
  std::vector<HeldOutOperation> held_out;
  for (const OperationRow& row : rows) {
    fold_of.push_back(folds.at(row.sample->group));
    ++configs[key_of(row.sample->config)];
    held_out.push_back({row.sample, {}, {}});
  }
  std::erase_if(configs, [](const auto& each) { return each.second < kMinCrossValidationRows; });
  std::vector<std::pair<ConfigKey, std::size_t>> tasks;
  for (const auto& [key, count] : configs) {
    for (std::size_t fold = 0; fold < options.folds; ++fold) tasks.emplace_back(key, fold);
  }
  std::vector<Result<>> done(tasks.size());
  std::atomic<std::size_t> finished = 0;
  parallel_for(
      tasks.size(), worker_count(options.threads, tasks.size()), [&](std::size_t i, std::size_t worker) {
        if (options.stop.stop_requested()) return;
        done[i] = predict_fold(rows, fold_of, tasks[i].first, tasks[i].second, learner, options, held_out);
        const std::size_t so_far = ++finished;
        if (worker == 0 && options.progress) options.progress(so_far, tasks.size());
      });
  if (options.stop.stop_requested()) return fail(Errc::cancelled, "interrupted");
  for (const auto& each : done) {
    if (!each) return each.error();
  }
  std::erase_if(held_out, [](const HeldOutOperation& each) { return each.predicted <= Seconds{0}; });
  return held_out;
}

std::vector<Score> scores_of(const std::vector<HeldOutOperation>& held_out) {
  std::map<ConfigKey, std::vector<std::pair<double, double>>> times, powers;
  for (const HeldOutOperation& each : held_out) {
    const ConfigKey key = key_of(each.sample->config);
    times[key].emplace_back(each.predicted.si(), each.sample->time.si());
    if (each.predicted_power) powers[key].emplace_back(each.predicted_power->si(), each.sample->power->si());
  }
  std::vector<Score> scores;
  for (const auto& [key, pairs] : times) {
    const auto name = text_of(key);
    scores.push_back(score_of(name + ", time", pairs));
    if (const auto found = powers.find(key); found != powers.end())
      scores.push_back(score_of(name + ", power", found->second));
  }
  return scores;
}

}  // namespace ergon::predict
