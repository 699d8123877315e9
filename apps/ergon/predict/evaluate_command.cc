#include "predict/evaluate_command.h"

#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "devices/device_options.h"
#include "predict/learn/evaluation.h"
#include "predict/progress_reporter.h"
#include "predict/xgboost/xgboost_learner.h"
#include "report/predict_json.h"
#include "report/score_text.h"
#include "sources/training_data.h"

namespace ergon::app {
namespace {

struct EvaluateSettings {
  std::vector<std::string> folders;
  std::optional<std::string> device;
  bool only_networks = false, only_operations = false;
  predict::EvaluationOptions options;
};

constexpr std::string_view kMethodText =
    "\nOperations: grouped cross-validation; an operation is in one fold only, at any\n"
    "batch, mode and precision. Networks: each held out together with the operations\n"
    "that only it has. Networks with measured operations: held out alone.\n";

// The scores of a device, and the rows that were too few for a score.
std::string evaluation_text(const std::string& title, const predict::Evaluation& evaluation,
                            const report::TableStyle& style) {
  std::string text = title + "\n\n";
  if (!evaluation.scores.empty()) text += report::score_text(evaluation.scores, style);
  for (const std::string& why : evaluation.skipped) text += fmt::format("not evaluated: {}\n", why);
  return text;
}

Result<predict::Evaluation> evaluate_device(const predict::TrainingDataByDevice& all,
                                            const device::Specification& gpu,
                                            const EvaluateSettings& settings, Shell& shell) {
  predict::EvaluationOptions options = settings.options;
  options.operations = settings.only_operations || !settings.only_networks;
  options.networks = settings.only_networks || !settings.only_operations;
  ProgressReporter folds(shell, "folds"), networks(shell, "networks");
  options.operation_progress = std::ref(folds);
  options.network_progress = [&](std::size_t done, std::size_t of) {
    folds.finish();
    networks(done, of);
  };
  options.stop = shell.stop();
  return predict::evaluate(all, gpu, predict::XgboostLearner(), options);
}

bool is_simulated(const predict::TrainingData& data) {
  return std::any_of(data.sources.begin(), data.sources.end(),
                     [](const predict::TrainingSource& each) { return each.simulated; });
}

Result<int> run_evaluate(Shell& shell, const EvaluateSettings& settings) {
  const auto all = sources::read_training_data(settings.folders);
  if (!all) return all.error();
  std::string text;
  // Rows of other devices are used for modes with too few rows.
  const bool simulated =
      std::any_of(all->begin(), all->end(), [](const auto& each) { return is_simulated(each.second); });
  nlohmann::ordered_json devices = nlohmann::ordered_json::array();
  for (const auto& [name, data] : *all) {
    if (settings.device && name != lower(*settings.device)) continue;
    const auto gpu = DeviceSource{name, {}}.twin();
    if (!gpu) return gpu.error();
    const auto evaluation = evaluate_device(*all, *gpu, settings, shell);
    if (!evaluation) return evaluation.error();
    devices.push_back(report::evaluation_json(name, *evaluation));
    if (shell.json) {
      for (const std::string& why : evaluation->skipped) shell.note(fmt::format("not evaluated: {}", why));
    }
    const std::string title = gpu->title + (is_simulated(data) ? " (simulated)" : "");
    text += (text.empty() ? "" : "\n") + evaluation_text(title, *evaluation, shell.table_style());
  }
  if (devices.empty() && settings.device)
    return fail(Errc::unknown_name, "--data has no rows of device \"{}\"", printable(*settings.device));
  if (devices.empty()) return fail(Errc::not_found, "--data has no rows");
  const nlohmann::ordered_json body{
      {"folds", settings.options.folds}, {"trees", name_of(settings.options.trees)}, {"devices", devices}};
  const auto printed = shell.print_result("ergon.predict.evaluate/2", settings.folders, body, simulated,
                                          [&] { return text.append(kMethodText); });
  if (!printed) return printed.error();
  return kExitDone;
}

Action declare_evaluate(Options& options) {
  auto settings = std::make_shared<EvaluateSettings>();
  options.list("--data", settings->folders, "DIR,...",
               "folders from `ergon profile` or with tables (docs/predict.md)");
  options.require("--data");
  options.text("--device", settings->device, "D", "evaluate only this device (default: all in the data)");
  options.flag("--operations", settings->only_operations, "only operations, by cross-validation");
  options.flag("--networks", settings->only_networks, "only networks, each held out once");
  options.count("--min-batch", settings->options.min_batch,
                "ignore networks at smaller batches (default: 1)");
  options.renamed("--least-batch", "--min-batch");
  options.count("--folds", settings->options.folds, "folds of the cross-validation (default: 15)");
  options.enumeration("--trees", settings->options.trees, predict::kEnsembles,
                      "tree ensemble (default: boosted)");
  options.count("--seed", settings->options.seed, "random seed (default: 1)");
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
