#include "predict/learn/evaluation.h"

#include <fmt/format.h>

#include "base/contract.h"
#include "predict/learn/cross_validation.h"
#include "predict/learn/fit.h"

namespace ergon::predict {
namespace {

// Trees of a random forest.
constexpr int kForestTrees = 100;

Result<std::vector<Score>> operation_scores(const TrainingData& data, const device::Specification& gpu,
                                            const Learner& learner, const EvaluationOptions& options) {
  CrossValidationOptions validation;
  validation.folds = options.folds;
  validation.seed = options.seed;
  if (options.trees == Ensemble::forest) validation.parameters = TreeParameters::forest_of(kForestTrees);
  validation.progress = options.operation_progress;
  validation.stop = options.stop;
  const auto held_out = cross_validate(data, gpu, learner, validation);
  if (!held_out) return held_out.error();
  return scores_of(*held_out);
}

std::vector<HeldOutNetwork> from_batch(std::uint64_t min_batch, std::vector<HeldOutNetwork> held_out) {
  std::erase_if(held_out, [&](const HeldOutNetwork& each) {
    return static_cast<std::uint64_t>(each.config.batch) < min_batch;
  });
  return held_out;
}

}  // namespace

Result<Evaluation> evaluate(const TrainingDataByDevice& all, const device::Specification& device,
                            const Learner& learner, const EvaluationOptions& options) {
  const auto found = all.find(device.name);
  ERGON_EXPECTS(found != all.end());
  const TrainingData& data = found->second;
  Evaluation evaluation;
  if (options.operations) evaluation.skipped = too_small_for_cross_validation(data);
  if (options.operations && !options.networks && data.operations.empty())
    evaluation.skipped.emplace_back("operations: no rows");
  if (options.networks && !options.operations && data.networks.empty())
    evaluation.skipped.emplace_back("networks: no rows");
  if (options.operations && !data.operations.empty()) {
    auto scores = operation_scores(data, device, learner, options);
    if (!scores) return scores.error();
    evaluation.scores = std::move(*scores);
  }
  if (options.networks && !data.networks.empty()) {
    FitOptions fitting;
    fitting.seed = options.seed;
    fitting.folds = data.networks.size();
    fitting.progress = options.network_progress;
    fitting.stop = options.stop;
    fitting.related = related_devices_of(device.name, all);
    auto fitted = fit(data, device, learner, fitting);
    if (!fitted) return fitted.error();
    const auto add = [&](const std::vector<Score>& more) {
      evaluation.scores.insert(evaluation.scores.end(), more.begin(), more.end());
    };
    const auto scored = from_batch(options.min_batch, fitted->held_out);
    if (scored.empty())
      evaluation.skipped.push_back(fmt::format("networks: no rows from batch {}", options.min_batch));
    add(scores_of(scored));
    add(scores_of(from_batch(options.min_batch, fitted->with_measured_operations), kWithMeasuredOperations));
    evaluation.networks = {std::move(fitted->held_out), std::move(fitted->with_measured_operations)};
  }
  return evaluation;
}

}  // namespace ergon::predict
