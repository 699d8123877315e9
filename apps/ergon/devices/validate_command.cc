#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "calibrate/compare.h"
#include "device/twin/catalog.h"
#include "devices/device_commands.h"
#include "devices/device_options.h"
#include "report/device_json.h"
#include "report/text_table.h"

namespace ergon::app {
namespace {

using calibrate::TwinAccuracy;
using report::Align;

struct ValidateSettings {
  sources::MeasuredTablesSource tables;
  std::string device;
};

std::string percent(double mean, std::size_t rows) {
  return rows == 0 ? "-" : fmt::format("{:.1f} %", 100 * mean);
}

std::string accuracy_text(const std::vector<TwinAccuracy>& accuracies, const report::TableStyle& style) {
  report::TextTable table({{"device"},
                           {"table"},
                           {"quantity"},
                           {"fitted rows", Align::right, 2},
                           {"MAPE fitted", Align::right, 1},
                           {"held-out rows", Align::right, 1},
                           {"MAPE held-out", Align::right}});
  for (const TwinAccuracy& each : accuracies) {
    table.row({each.device, each.table, each.quantity, std::to_string(each.rows_fitted),
               percent(each.mape_fitted, each.rows_fitted), std::to_string(each.rows_held_out),
               percent(each.mape_held_out, each.rows_held_out)});
  }
  return "Twins (simulated) against measured tables; MAPE: mean absolute percentage error\n\n" +
         table.text(style);
}

Result<int> validate(const ValidateSettings& settings, Shell& shell) {
  calibrate::Twins twins;
  for (const std::string& name :
       settings.device.empty() ? device::device_names() : std::vector{settings.device}) {
    auto gpu = DeviceSource{name, {}}.twin();
    if (!gpu) return gpu.error();
    const std::string key = gpu->name;
    twins[key] = std::move(*gpu);
  }
  const auto measured = settings.tables.load();
  if (!measured) return measured.error();
  const auto accuracies = calibrate::accuracy_by_table(calibrate::compare(*measured, twins));
  if (settings.device.empty()) {
    for (const std::string& skipped : measured->skipped) shell.note("not compared: " + skipped);
  } else if (accuracies.empty()) {
    shell.note("no table with measurements of " + twins.begin()->first);
  }
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const TwinAccuracy& each : accuracies) rows.push_back(report::accuracy_json(each));
  const auto printed =
      shell.print_result("ergon.devices.validate/2", measured->tables,
                         {{"twins", std::move(rows)}, {"not_compared", measured->skipped}}, true,
                         [&] { return accuracy_text(accuracies, shell.table_style()); });
  if (!printed) return printed.error();
  return kExitDone;
}

}  // namespace

Command validate_command() {
  return {
      .name = "validate",
      .summary = "compare the twins with measured tables",
      .description =
          "Reports the error on rows that were used in a twin's calibration (fitted) and on all other "
          "rows (held-out). docs/twins.md describes the comparison.",
      .declare = [](Options& options) -> Action {
        auto settings = std::make_shared<ValidateSettings>();
        options.optional_argument("DEVICE", settings->device,
                                  "twin or device .json file (default: all twins)");
        declare_tables(options, settings->tables);
        return [settings](Shell& shell) { return validate(*settings, shell); };
      },
  };
}

}  // namespace ergon::app
