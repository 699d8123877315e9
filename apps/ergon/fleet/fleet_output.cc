#include "fleet/fleet_output.h"

#include <algorithm>
#include <filesystem>

#include <nlohmann/json.hpp>

#include "base/file.h"
#include "fleet/fleet_text.h"
#include "fleet/summary/gpu_means.h"
#include "option_parsers.h"
#include "report/fleet_part.h"
#include "report/fleet_tables.h"

namespace ergon::app {

void FleetOutput::declare(Options& options) {
  options.parsed_list("--by", "GROUP,...",
                      "tables to show: event, level, host, gpu, task, time (default: event,level)",
                      taking_each(by, fleet::parse_summary_table));
  options.text("--gpu-means", means, "FILE", "CSV with means per GPU, instead of their samples'");
  options.text("--out", out, "DIR", "write tables as CSV files: events, levels, hosts, ...");
  options.text("--part", part, "FILE", "write a part for `ergon fleet merge`");
  options.non_negative_number("--price-kwh", prices.per_kwh, "price per kWh");
  options.non_negative_number("--carbon", prices.carbon_grams_per_kwh, "grams of CO2 per kWh");
}

bool FleetOutput::shows(fleet::SummaryTable table) const {
  if (by.empty()) return table == fleet::SummaryTable::event || table == fleet::SummaryTable::level;
  return std::find(by.begin(), by.end(), table) != by.end();
}

Result<> FleetOutput::write_part(const fleet::Tally& tally, const std::string& file,
                                 const std::vector<std::string>& inputs, Shell& shell) const {
  const auto text =
      shell.document(report::kFleetPartSchema, inputs, report::fleet_part_json(tally), tally.simulated);
  if (!text) return text.error();
  return write_file(file, *text);
}

Result<int> FleetOutput::deliver(const fleet::Tally& tally, std::vector<std::string> inputs,
                                 const std::vector<std::string>& warnings, Shell& shell) const {
  std::vector<fleet::GpuMeans> from_file;
  if (means) {
    auto read = fleet::read_gpu_means(*means);
    if (!read) return read.error();
    from_file = std::move(*read);
    inputs.push_back(*means);
  }
  const fleet::FleetSummary summary = fleet::summarize(tally, from_file);
  if (part) {
    if (auto written = write_part(tally, *part, inputs, shell); !written) return written.error();
  }
  if (out) {
    if (auto written = report::write_fleet_tables(summary, *out); !written) return written.error();
    const std::string file = (std::filesystem::path(*out) / report::kFleetPartFile).string();
    if (auto written = write_part(tally, file, inputs, shell); !written) return written.error();
  }
  for (const std::string& warning : warnings) shell.note(warning);
  using fleet::SummaryTable;
  const auto includes = [&](SummaryTable table) { return shell.html_requested() || shows(table); };
  auto body = report::fleet_json(summary, prices,
                                 {includes(SummaryTable::host), includes(SummaryTable::gpu),
                                  includes(SummaryTable::time), includes(SummaryTable::task)});
  body["warnings"] = warnings;
  const auto printed = shell.print_result("ergon.fleet/3", std::move(inputs), body, summary.simulated, [&] {
    return (summary.simulated ? "simulated: " : "") + fleet_text(summary, *this, shell.table_style());
  });
  if (!printed) return printed.error();
  return kExitDone;
}

}  // namespace ergon::app
