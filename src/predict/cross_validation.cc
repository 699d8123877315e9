#include "predict/cross_validation.h"

#include <atomic>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/parallel.h"
#include "base/random.h"
#include "predict/operation_rows.h"
#include "profile/condition.h"

namespace ergon::predict {
namespace {

// Fewer rows of a kind are not learned from by themselves.
constexpr std::int64_t kEnoughOfAKind = 50;

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

// One kind of rows, learned without one fold and asked about it.
Result<> hold_back(const std::vector<OperationRow>& rows, const std::vector<std::size_t>& fold_of,
                   const Kind& kind, std::size_t fold, const Learner& learner,
                   const CrossValidationOptions& options, std::vector<HeldBackOperation>& into) {
  Examples times, powers;
  std::vector<std::size_t> asked;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (kind_of(rows[i].sample->condition) != kind) continue;
    if (fold_of[i] == fold) {
      asked.push_back(i);
      continue;
    }
    times.add(rows[i].features, rows[i].time_ratio());
    if (rows[i].sample->power) powers.add(rows[i].features, rows[i].power_ratio());
  }
  if (asked.empty()) return {};
  Recipe recipe = options.recipe.value_or(Recipe::for_rows(times.rows()));
  recipe.seed = options.seed;
  const auto time = learner.grow(times, recipe);
  if (!time) return time.error();
  std::optional<Forest> power;
  if (powers.rows() > 0) {
    auto grown = learner.grow(powers, recipe);
    if (!grown) return grown.error();
    power = std::move(*grown);
  }
  for (const std::size_t i : asked) {
    HeldBackOperation& each = into[i];
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

}  // namespace

Result<std::vector<HeldBackOperation>> cross_validate(const TrainingData& data,
                                                      const device::Specification& gpu,
                                                      const Learner& learner,
                                                      const CrossValidationOptions& options) {
  if (options.folds < 2) return fail(Errc::invalid_input, "cross-validation wants two folds or more");
  const auto rows = operation_rows(data, gpu);
  const Fold folds = folds_of(data, options);
  std::vector<std::size_t> fold_of;
  std::map<Kind, std::int64_t> kinds;
  std::vector<HeldBackOperation> held_back;
  for (const OperationRow& row : rows) {
    fold_of.push_back(folds.at(row.sample->group));
    ++kinds[kind_of(row.sample->condition)];
    held_back.push_back({row.sample, {}, {}});
  }
  std::erase_if(kinds, [](const auto& each) { return each.second < kEnoughOfAKind; });
  std::vector<std::pair<Kind, std::size_t>> tasks;
  for (const auto& [kind, count] : kinds) {
    for (std::size_t fold = 0; fold < options.folds; ++fold) tasks.emplace_back(kind, fold);
  }
  std::vector<Result<>> done(tasks.size());
  std::atomic<std::size_t> finished = 0;
  parallel_for(
      tasks.size(), worker_count(options.threads, tasks.size()), [&](std::size_t i, std::size_t worker) {
        if (options.stop.stop_requested()) return;
        done[i] = hold_back(rows, fold_of, tasks[i].first, tasks[i].second, learner, options, held_back);
        const std::size_t so_far = ++finished;
        if (worker == 0 && options.progress) options.progress(so_far, tasks.size());
      });
  if (options.stop.stop_requested()) return fail(Errc::cancelled, "interrupted");
  for (const auto& each : done) {
    if (!each) return each.error();
  }
  std::erase_if(held_back, [](const HeldBackOperation& each) { return each.predicted <= Seconds{0}; });
  return held_back;
}

std::vector<Score> scores_of(const std::vector<HeldBackOperation>& held_back) {
  std::map<Kind, std::vector<std::pair<double, double>>> times, powers;
  for (const HeldBackOperation& each : held_back) {
    const Kind kind = kind_of(each.sample->condition);
    times[kind].emplace_back(each.predicted.si(), each.sample->time.si());
    if (each.predicted_power) powers[kind].emplace_back(each.predicted_power->si(), each.sample->power->si());
  }
  std::vector<Score> scores;
  for (const auto& [kind, pairs] : times) {
    const auto name =
        fmt::format("operations, {}, {}", profile::name_of(kind.mode), device::name_of(kind.precision));
    scores.push_back(score_of(name + ", time", pairs));
    if (const auto found = powers.find(kind); found != powers.end())
      scores.push_back(score_of(name + ", power", found->second));
  }
  return scores;
}

}  // namespace ergon::predict
