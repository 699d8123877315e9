#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/text.h"
#include "devices/device_options.h"
#include "option_parsers.h"
#include "predict/learn/training_devices.h"
#include "predict/model/model_file.h"
#include "predict/predict_commands.h"
#include "predict/progress_reporter.h"
#include "predict/samples/training_table.h"
#include "predict/xgboost/xgboost_learner.h"
#include "report/predict_json.h"
#include "report/score_text.h"
#include "sources/training_data.h"

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

Result<predict::FitResult> fitted_from(const predict::TrainingData& data,
                                       const predict::TrainingDataByDevice& all,
                                       const device::Specification& gpu, const FitSettings& settings,
                                       Shell& shell) {
  if (settings.few) return predict::fit_few(data, gpu);
  predict::FitOptions options;
  options.seed = settings.seed;
  options.folds = predict::network_folds(data);
  options.related = predict::related_devices_of(data.device, all);
  ProgressReporter progress(shell, "fitting");
  options.progress = std::ref(progress);
  options.stop = shell.stop();
  return predict::fit(data, gpu, predict::XgboostLearner(), options);
}

std::string fit_text(const predict::Model& model, const std::string& out, const report::TableStyle& style) {
  std::string text = fmt::format("{} ({}), fitted to\n", model.device, name_of(model.source));
  for (const predict::TrainingSource& source : model.training_sources) {
    text += fmt::format("  {}: {} and {}; {}\n", source.name,
                        counted(static_cast<std::uint64_t>(source.operations), "operation"),
                        counted(static_cast<std::uint64_t>(source.networks), "network"), source.detail);
  }
  if (!model.scores.empty())
    text += "\nAccuracy on held-out networks:\n\n" + report::score_text(model.scores, style);
  return text + fmt::format("\nwrote {}\n", out);
}

Result<int> run_fit(Shell& shell, const FitSettings& settings) {
  const auto all = sources::read_training_data(settings.folders);
  if (!all) return all.error();
  const auto chosen = predict::data_of(*all, settings.device);
  if (!chosen) return chosen.error();
  const predict::TrainingData* data = *chosen;
  for (const std::string& why : data->skipped) shell.note(fmt::format("skipped: {}", why));
  const auto gpu = DeviceSource{data->device, {}}.twin();
  if (!gpu) return gpu.error();
  if (settings.table) {
    if (const auto written = write_file(*settings.table, predict::training_table(*data, *gpu)); !written)
      return written.error();
  }
  // Opened before the fit, so that an unwritable path fails early.
  auto out = AtomicFile::create(settings.out);
  if (!out) return out.error();
  const auto fitted = fitted_from(*data, *all, *gpu, settings, shell);
  if (!fitted) return fitted.error();
  const predict::Model& model = fitted->model;
  if (const auto written = out->write(predict::write_model(model)); !written) return written.error();
  if (const auto committed = out->commit(); !committed) return committed.error();
  const auto printed = shell.print_result("ergon.fit/2", settings.folders,
                                          report::fit_json(*fitted, settings.out), model.simulated(),
                                          [&] { return fit_text(model, settings.out, shell.table_style()); });
  if (!printed) return printed.error();
  return kExitDone;
}

Action declare_fit(Options& options) {
  auto settings = std::make_shared<FitSettings>();
  options.list("--data", settings->folders, "DIR,...",
               "folders from `ergon profile` or with tables (docs/predict.md)");
  options.text("--out", settings->out, "FILE", "model file to write");
  options.require("--data");
  options.require("--out");
  options.text("--device", settings->device, "D", "device to fit (default: the only one in the data)");
  options.flag("--few", settings->few, "calibrate the twin with a handful of rows; no trees");
  options.parsed("--table", "FILE", "also write the training rows as CSV",
                 taking_table_file(settings->table));
  options.count("--seed", settings->seed, "random seed (default: 1)");
  return [settings](Shell& shell) -> Result<int> { return run_fit(shell, *settings); };
}

}  // namespace

Command fit_command() {
  return {
      .name = "fit",
      .summary = "fit a model of a device to measured rows",
      .description =
          "Fits forests to measured operations and corrections to measured networks. The model file "
          "names its training data and its accuracy on held-out networks. docs/predict.md has the method.",
      .declare = declare_fit,
      .children = {},
  };
}

}  // namespace ergon::app
