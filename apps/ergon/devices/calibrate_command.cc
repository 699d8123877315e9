#include <filesystem>
#include <memory>

#include <nlohmann/json.hpp>

#include "base/file.h"
#include "calibrate/twin_files.h"
#include "devices/device_commands.h"
#include "devices/device_options.h"
#include "report/device_json.h"

namespace ergon::app {
namespace {

struct CalibrateSettings {
  sources::MeasuredTablesSource tables;
  std::string out;
};

Result<int> run_calibrate(const CalibrateSettings& settings, Shell& shell) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(settings.out, ignored))
    return fail(Errc::not_found, "--out: folder not found: {}", settings.out);
  const auto measured = settings.tables.load();
  if (!measured) return measured.error();
  const auto calibrated = calibrate::calibrate_twins(
      *measured, [&](const std::string& name) { shell.note("fitting " + name); }, shell.stop());
  if (!calibrated) return calibrated.error();
  for (const auto& [device, text] : calibrated->files) {
    const auto path = std::filesystem::path(settings.out) / (device + ".json");
    if (const auto written = write_file(path.string(), text); !written) return written.error();
    shell.note("wrote " + path.string());
  }
  if (!shell.json) return kExitDone;
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const calibrate::TwinAccuracy& each : calibrated->accuracies)
    rows.push_back(report::accuracy_json(each));
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
        declare_tables(options, settings->tables);
        options.text("--out", settings->out, "DIR", "folder for the calibrated device files");
        options.require("--out");
        return [settings](Shell& shell) { return run_calibrate(*settings, shell); };
      },
  };
}

}  // namespace ergon::app
