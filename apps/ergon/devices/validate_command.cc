#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "calibrate/compare.h"
#include "device/twin/catalogue.h"
#include "devices/device_commands.h"
#include "devices/tables_source.h"
#include "report/device_json.h"
#include "report/text_table.h"

namespace ergon::app {
namespace {

using calibrate::Agreement;
using report::Align;

struct ValidateSettings {
  TablesSource tables;
  std::string device;
};

std::string percent(double mean, std::size_t rows) {
  return rows == 0 ? "-" : fmt::format("{:.1f} %", 100 * mean);
}

std::string agreements_text(const std::vector<Agreement>& agreements, const report::TableStyle& style) {
  report::TextTable table({{"device"},
                           {"table"},
                           {"quantity"},
                           {"fitted", Align::right},
                           {"error", Align::right},
                           {"held back", Align::right},
                           {"error", Align::right}});
  for (const Agreement& each : agreements) {
    table.row({each.device, each.table, each.quantity, std::to_string(each.rows_fitted),
               percent(each.mape_fitted, each.rows_fitted), std::to_string(each.rows_held_back),
               percent(each.mape_held_back, each.rows_held_back)});
  }
  return "Twins (simulated) against measured tables: rows, and mean absolute relative error\n\n" +
         table.text(style);
}

Result<int> validate(const ValidateSettings& settings, Shell& shell) {
  calibrate::Twins twins;
  for (const std::string& name :
       settings.device.empty() ? device::device_names() : std::vector{settings.device}) {
    auto gpu = device::find_device(name);
    if (!gpu) return gpu.error();
    const std::string key = gpu->name;
    twins[key] = std::move(*gpu);
  }
  const auto measured = settings.tables.load();
  if (!measured) return measured.error();
  const auto agreements = calibrate::agreements(calibrate::compare(*measured, twins));
  if (settings.device.empty()) {
    for (const std::string& skipped : measured->skipped) shell.note("not compared: " + skipped);
  } else if (agreements.empty()) {
    shell.note("no table here was measured on " + twins.begin()->first);
  }
  if (!shell.json) {
    const auto printed = shell.print(agreements_text(agreements, shell.table_style()));
    if (!printed) return printed.error();
    return kExitDone;
  }
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const Agreement& each : agreements) rows.push_back(report::agreement_json(each));
  const auto printed =
      shell.print_document("ergon.devices.validate/1", measured->tables,
                           {{"twins", std::move(rows)}, {"not_compared", measured->skipped}}, true);
  if (!printed) return printed.error();
  return kExitDone;
}

}  // namespace

Command validate_command() {
  return {
      .name = "validate",
      .summary = "every twin against every measured table, fitted and held back",
      .description =
          "Rows of networks and programs that took part in a twin's calibration are fitted, all others "
          "held back. docs/twins.md says what is compared and how.",
      .declare = [](Options& options) -> Action {
        auto settings = std::make_shared<ValidateSettings>();
        options.optional_argument("DEVICE", settings->device, "a twin or a device .json file (default: all)");
        settings->tables.declare(options);
        return [settings](Shell& shell) { return validate(*settings, shell); };
      },
  };
}

}  // namespace ergon::app
