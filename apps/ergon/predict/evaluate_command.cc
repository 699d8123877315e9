#include "predict/evaluate_command.h"

#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "device/twin/catalogue.h"
#include "predict/cross_validation.h"
#include "predict/fit.h"
#include "predict/score_text.h"
#include "predict/training_source.h"
#include "predict/watched.h"
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
  std::uint64_t least_batch = 1;
  bool networks = false;
  bool operations = false;
};

Result<std::vector<predict::Score>> operation_scores(const predict::TrainingData& data,
                                                     const device::Specification& gpu,
                                                     const EvaluateSettings& settings, Shell& shell) {
  predict::CrossValidationOptions options;
  options.folds = settings.folds;
  options.seed = settings.seed;
  if (settings.trees == "forest") options.recipe = predict::Recipe::forest_of(100);
  Watched watched(shell, "folds");
  options.progress = std::ref(watched);
  options.stop = shell.stop();
  const auto held_back = predict::cross_validate(data, gpu, predict::XgboostLearner(), options);
  if (!held_back) return held_back.error();
  return predict::scores_of(*held_back);
}

std::vector<predict::HeldBack> from_batch(std::uint64_t least, std::vector<predict::HeldBack> held_back) {
  std::erase_if(held_back, [&](const predict::HeldBack& each) {
    return static_cast<std::uint64_t>(each.condition.batch) < least;
  });
  return held_back;
}

Result<int> run_evaluate(Shell& shell, const EvaluateSettings& settings) {
  const auto all = read_training_data(settings.folders);
  if (!all) return all.error();
  const bool both = settings.networks == settings.operations;
  std::string text;
  nlohmann::ordered_json devices = nlohmann::ordered_json::array();
  for (const auto& [name, data] : *all) {
    if (settings.device && name != *settings.device) continue;
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
      Watched watched(shell, "networks");
      options.progress = std::ref(watched);
      options.stop = shell.stop();
      options.relatives = relatives_of(name, *all);
      const auto fitted = predict::fit(data, *gpu, predict::XgboostLearner(), options);
      if (!fitted) return fitted.error();
      const auto met = predict::scores_of(from_batch(settings.least_batch, fitted->held_back));
      scores.insert(scores.end(), met.begin(), met.end());
      body["held_back"] = report::held_back_json(fitted->held_back);
      const auto known = predict::scores_of(from_batch(settings.least_batch, fitted->of_known_operations),
                                            predict::kOfKnownOperations);
      scores.insert(scores.end(), known.begin(), known.end());
      body["of_known_operations"] = report::held_back_json(fitted->of_known_operations);
    }
    body["scores"] = report::scores_json(scores);
    devices.push_back(std::move(body));
    text +=
        fmt::format("{}{}\n\n{}", text.empty() ? "" : "\n", gpu->title, score_text(scores, shell.table_style()));
  }
  if (devices.empty()) return fail(Errc::not_found, "no rows of {}", settings.device.value_or("any device"));
  if (shell.json) {
    const nlohmann::ordered_json body{
        {"folds", settings.folds}, {"trees", settings.trees}, {"devices", devices}};
    if (auto printed = shell.print_document("ergon.predict.evaluate/1", settings.folders, body); !printed)
      return printed.error();
    return kExitDone;
  }
  text +=
      "\nOf operations, none stands on both sides at whatever batch, mode or precision. Networks are left "
      "out\n"
      "with the operations that only they have; those of known operations by themselves: these were "
      "measured.\n";
  if (auto printed = shell.print(text); !printed) return printed.error();
  return kExitDone;
}

Action declare_evaluate(Options& options) {
  auto settings = std::make_shared<EvaluateSettings>();
  options.list("--data", settings->folders, "DIR,...",
               "folders of `ergon profile`, or of tables (docs/predict.md)");
  options.require("--data");
  options.text("--device", settings->device, "D", "of that device only");
  options.flag("--operations", settings->operations, "operations only, by cross-validation");
  options.flag("--networks", settings->networks, "networks only, each left out once");
  options.count("--least-batch", settings->least_batch, "networks at smaller ones do not count (1)");
  options.count("--folds", settings->folds, "of the cross-validation (15)");
  options.choice("--trees", settings->trees, {"boosted", "forest"}, "how operations are learned");
  options.count("--seed", settings->seed, "of everything random (1)");
  return [settings](Shell& shell) -> Result<int> { return run_evaluate(shell, *settings); };
}

}  // namespace

Command predict_evaluate_command() {
  return {
      .name = "evaluate",
      .summary = "how well predictions meet rows that were held back",
      .description = "Operations by cross-validation, whole networks by leaving each out once.",
      .declare = declare_evaluate,
      .children = {},
  };
}

}  // namespace ergon::app
