#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/text.h"
#include "device/twin/catalogue.h"
#include "predict/fit.h"
#include "predict/model_file.h"
#include "predict/predict_commands.h"
#include "predict/score_text.h"
#include "predict/training_source.h"
#include "predict/training_table.h"
#include "predict/watched.h"
#include "predict/xgboost/xgboost_learner.h"
#include "report/predict_json.h"
#include "report/table_style.h"

namespace ergon::app {
namespace {

struct FitSettings {
  std::vector<std::string> folders;
  std::optional<std::string> device;
  std::string out;
  std::optional<std::string> table;
  bool few = false;
  std::uint64_t seed = 1;
};

Result<predict::Fitted> fitted_from(const predict::TrainingData& data, const TrainingDataByDevice& all,
                                    const device::Specification& gpu, const FitSettings& settings,
                                    Shell& shell) {
  if (settings.few) return predict::fit_few(data, gpu);
  predict::FitOptions options;
  options.seed = settings.seed;
  // Of few networks each is held back by itself, as `evaluate` does of all.
  constexpr std::size_t kFew = 100;
  if (data.networks.size() < kFew) options.folds = data.networks.size();
  options.relatives = relatives_of(data.device, all);
  Watched watched(shell, "growing trees");
  options.progress = std::ref(watched);
  options.stop = shell.stop();
  return predict::fit(data, gpu, predict::XgboostLearner(), options);
}

std::string fit_text(const predict::Model& model, const std::string& out, const report::TableStyle& style) {
  std::string text = fmt::format("{} ({}), from\n", model.device, name_of(model.regime));
  for (const predict::Source& source : model.sources) {
    text += fmt::format("  {}: {} and {}; {}\n", source.name,
                        counted(static_cast<std::uint64_t>(source.operations), "operation"),
                        counted(static_cast<std::uint64_t>(source.networks), "network"), source.detail);
  }
  if (!model.scores.empty())
    text +=
        "\nNetworks that were held back, predicted by what was left:\n\n" + score_text(model.scores, style);
  return text + fmt::format("\n-> {}\n", out);
}

Result<int> run_fit(Shell& shell, const FitSettings& settings) {
  const auto all = read_training_data(settings.folders);
  if (!all) return all.error();
  const auto chosen = data_of(*all, settings.device);
  if (!chosen) return chosen.error();
  const predict::TrainingData* data = *chosen;
  for (const std::string& why : data->skipped) shell.note(fmt::format("left out: {}", why));
  const auto gpu = device::find_device(data->device);
  if (!gpu) return gpu.error();
  if (settings.table) {
    if (const auto written = write_file(*settings.table, training_table(*data, *gpu)); !written)
      return written.error();
  }
  // Opened first: whoever waited for trees to grow wants to keep them.
  auto out = AtomicFile::create(settings.out);
  if (!out) return out.error();
  const auto fitted = fitted_from(*data, *all, *gpu, settings, shell);
  if (!fitted) return fitted.error();
  const predict::Model& model = fitted->model;
  if (const auto written = out->write(predict::write_model(model)); !written) return written.error();
  if (const auto kept = out->commit(); !kept) return kept.error();
  if (shell.json) {
    const auto body = report::fit_json(*fitted, settings.out);
    if (auto printed = shell.print_document("ergon.fit/1", settings.folders, body); !printed)
      return printed.error();
    return kExitDone;
  }
  if (auto printed = shell.print(fit_text(model, settings.out, shell.table_style())); !printed)
    return printed.error();
  return kExitDone;
}

Action declare_fit(Options& options) {
  auto settings = std::make_shared<FitSettings>();
  options.list("--data", settings->folders, "DIR,...",
               "folders of `ergon profile`, or of tables (docs/predict.md)");
  options.text("--out", settings->out, "FILE", "the model");
  options.require("--data");
  options.require("--out");
  options.text("--device", settings->device, "D", "whose rows, if the folders hold several devices'");
  options.flag("--few", settings->few, "a handful of rows: move the twin to them, grow no trees");
  options.text("--table", settings->table, "FILE", "write what the learner sees as CSV, too");
  options.count("--seed", settings->seed, "of everything random (1)");
  return [settings](Shell& shell) -> Result<int> { return run_fit(shell, *settings); };
}

}  // namespace

Command fit_command() {
  return {
      .name = "fit",
      .summary = "learn a device's time and power from measured rows",
      .description =
          "Operations are learned from their rows, what their sums get wrong from whole networks. The "
          "model says what it was learned from and how well it met networks that were held back. "
          "docs/predict.md has the method.",
      .declare = declare_fit,
      .children = {},
  };
}

}  // namespace ergon::app
