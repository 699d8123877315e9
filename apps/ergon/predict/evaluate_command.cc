#include "predict/evaluate_command.h"

#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "device/twin/catalog.h"
#include "predict/learn/cross_validation.h"
#include "predict/learn/fit.h"
#include "predict/progress_reporter.h"
#include "predict/score_text.h"
#include "predict/training_source.h"
#include "predict/xgboost/xgboost_learner.h"
#include "report/predict_json.h"

namespace ergon::app {
namespace {

struct EvaluateSettings {
  std::vector<std::string> folders;
  std::optional<std::string> device;
  std::string trees = "boosted";
  std::uint64_t folds = 15;
  std::uint64_t seed = 1;
  std::uint64_t min_batch = 1;
  bool networks = false;
  bool operations = false;
};

Result<std::vector<predict::Score>> operation_scores(const predict::TrainingData& data,
                                                     const device::Specification& gpu,
                                                     const EvaluateSettings& settings, Shell& shell) {
  predict::CrossValidationOptions options;
  options.folds = settings.folds;
  options.seed = settings.seed;
  if (lower(settings.trees) == "forest") options.parameters = predict::TreeParameters::forest_of(100);
  ProgressReporter progress(shell, "folds");
  options.progress = std::ref(progress);
  options.stop = shell.stop();
  const auto held_out = predict::cross_validate(data, gpu, predict::XgboostLearner(), options);
  if (!held_out) return held_out.error();
  return predict::scores_of(*held_out);
}

std::vector<predict::HeldOutNetwork> from_batch(std::uint64_t min_batch,
                                                std::vector<predict::HeldOutNetwork> held_out) {
  std::erase_if(held_out, [&](const predict::HeldOutNetwork& each) {
    return static_cast<std::uint64_t>(each.config.batch) < min_batch;
  });
  return held_out;
}

Result<int> run_evaluate(Shell& shell, const EvaluateSettings& settings) {
  const auto all = read_training_data(settings.folders);
  if (!all) return all.error();
  const bool both = settings.networks == settings.operations;
  std::string text;
  nlohmann::ordered_json devices = nlohmann::ordered_json::array();
  for (const auto& [name, data] : *all) {
    if (settings.device && name != lower(*settings.device)) continue;
    const auto gpu = device::find_device(name);
    if (!gpu) return gpu.error();
    std::vector<predict::Score> scores;
    nlohmann::ordered_json body{{"device", name}};
    if ((both || settings.operations) && !data.operations.empty()) {
      const auto found = operation_scores(data, *gpu, settings, shell);
      if (!found) return found.error();
      scores = *found;
    }
    if ((both || settings.networks) && !data.networks.empty()) {
      predict::FitOptions options;
      options.seed = settings.seed;
      options.folds = data.networks.size();
      ProgressReporter progress(shell, "networks");
      options.progress = std::ref(progress);
      options.stop = shell.stop();
      options.related = related_devices_of(name, *all);
      const auto fitted = predict::fit(data, *gpu, predict::XgboostLearner(), options);
      if (!fitted) return fitted.error();
      const auto held_out = predict::scores_of(from_batch(settings.min_batch, fitted->held_out));
      scores.insert(scores.end(), held_out.begin(), held_out.end());
      body["held_out"] = report::held_out_json(fitted->held_out);
      const auto measured = predict::scores_of(
          from_batch(settings.min_batch, fitted->with_measured_operations), predict::kWithMeasuredOperations);
      scores.insert(scores.end(), measured.begin(), measured.end());
      body["with_measured_operations"] = report::held_out_json(fitted->with_measured_operations);
    }
    body["scores"] = report::scores_json(scores);
    devices.push_back(std::move(body));
    text += fmt::format("{}{}\n\n{}", text.empty() ? "" : "\n", gpu->title,
                        score_text(scores, shell.table_style()));
  }
  if (devices.empty() && settings.device)
    return fail(Errc::unknown_name, "--data has no rows of device \"{}\"", printable(*settings.device));
  if (devices.empty()) return fail(Errc::not_found, "--data has no rows");
  if (shell.json) {
    const nlohmann::ordered_json body{
        {"folds", settings.folds}, {"trees", settings.trees}, {"devices", devices}};
    if (auto printed = shell.print_document("ergon.predict.evaluate/2", settings.folders, body); !printed)
      return printed.error();
    return kExitDone;
  }
  text +=
      "\nOperations: grouped cross-validation; an operation is in one fold only, at any\n"
      "batch, mode and precision. Networks: each held out together with the operations\n"
      "that only it has. Networks with measured operations: held out alone.\n";
  if (auto printed = shell.print_report(text); !printed) return printed.error();
  return kExitDone;
}

Action declare_evaluate(Options& options) {
  auto settings = std::make_shared<EvaluateSettings>();
  options.list("--data", settings->folders, "DIR,...",
               "folders from `ergon profile` or with tables (docs/predict.md)");
  options.require("--data");
  options.text("--device", settings->device, "D", "evaluate only this device (default: all in the data)");
  options.flag("--operations", settings->operations, "only operations, by cross-validation");
  options.flag("--networks", settings->networks, "only networks, each held out once");
  options.count("--min-batch", settings->min_batch, "ignore networks at smaller batches (default: 1)");
  options.renamed("--least-batch", "--min-batch");
  options.count("--folds", settings->folds, "folds of the cross-validation (default: 15)");
  options.choice("--trees", settings->trees, {"boosted", "forest"}, "tree ensemble (default: boosted)");
  options.count("--seed", settings->seed, "random seed (default: 1)");
  return [settings](Shell& shell) -> Result<int> { return run_evaluate(shell, *settings); };
}

}  // namespace

Command predict_evaluate_command() {
  return {
      .name = "evaluate",
      .summary = "accuracy of predictions on held-out rows",
      .description = "Evaluates operations by cross-validation, and networks by holding out each one once.",
      .declare = declare_evaluate,
      .children = {},
  };
}

}  // namespace ergon::app
