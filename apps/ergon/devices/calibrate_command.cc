#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "calibrate/fit.h"
#include "device/twin/catalog.h"
#include "devices/device_commands.h"
#include "devices/tables_source.h"
#include "report/device_json.h"

namespace ergon::app {
namespace {

struct CalibrateSettings {
  TablesSource tables;
  std::string out;
};

Result<int> calibrate_twins(const CalibrateSettings& settings, Shell& shell) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(settings.out, ignored))
    return fail(Errc::not_found, "--out: folder not found: {}", settings.out);
  const auto measured = settings.tables.load();
  if (!measured) return measured.error();
  calibrate::Twins twins;
  std::map<std::string, std::string> files;
  for (const auto& [name, text] : device::device_files()) {
    auto gpu = device::parse_specification(text, name);
    if (!gpu) return gpu.error();
    files[std::string(name)] = text;
    twins[std::string(name)] = std::move(*gpu);
  }
  const auto fits = calibrate::fit_all(
      *measured, twins, [&](const std::string& name) { shell.note("fitting " + name); }, shell.stop());
  if (!fits) return fits.error();
  // Residuals are computed with the rounded values that are written.
  for (const calibrate::Fit& fit : *fits) {
    auto written =
        device::parse_specification(calibrate::updated_file(files[fit.gpu.name], fit, {}), fit.gpu.name);
    if (!written) return written.error();
    twins[fit.gpu.name] = std::move(*written);
  }
  const auto accuracies = calibrate::accuracy_by_table(calibrate::compare(*measured, twins));
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const calibrate::TwinAccuracy& each : accuracies) rows.push_back(report::accuracy_json(each));
  for (const calibrate::Fit& fit : *fits) {
    const auto path = std::filesystem::path(settings.out) / (fit.gpu.name + ".json");
    const auto written =
        write_file(path.string(), calibrate::updated_file(files[fit.gpu.name], fit, accuracies));
    if (!written) return written.error();
    shell.note("wrote " + path.string());
  }
  if (!shell.json) return kExitDone;
  const auto printed =
      shell.print_document("ergon.devices.calibrate/2", measured->tables, {{"twins", std::move(rows)}}, true);
  if (!printed) return printed.error();
  return kExitDone;
}

}  // namespace

Command calibrate_command() {
  return {
      .name = "calibrate",
      .summary = "fit the parameters of the twins to measured tables",
      .description =
          "Fits every other network and application of each table and tests on the rest (held-out). "
          "Writes device files with their accuracy, for `ergon estimate --device FILE.json`.",
      .declare = [](Options& options) -> Action {
        auto settings = std::make_shared<CalibrateSettings>();
        settings->tables.declare(options);
        options.text("--out", settings->out, "DIR", "folder for the calibrated device files");
        options.require("--out");
        return [settings](Shell& shell) { return calibrate_twins(*settings, shell); };
      },
  };
}

}  // namespace ergon::app
