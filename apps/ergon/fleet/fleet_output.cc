#include "fleet/fleet_output.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/text.h"
#include "fleet/fleet_tables.h"
#include "fleet/fleet_text.h"
#include "fleet/reading/columns.h"
#include "report/fleet_part.h"
#include "table/csv/read.h"

namespace ergon::app {
namespace {

const std::vector<std::string> kGroupings{"event", "level", "host", "gpu", "task", "time"};

}  // namespace

void FleetOutput::declare(Options& options) {
  options.list("--by", by, "GROUP,...",
               "tables to show: event, level, host, gpu, task, time (default: event,level)",
               [](std::string_view word) -> Result<> {
                 if (std::find(kGroupings.begin(), kGroupings.end(), word) != kGroupings.end()) return {};
                 return fail(Errc::invalid_input, "--by: \"{}\" is not a table{}; expected {}",
                             printable(word), suggestion(word, kGroupings), fmt::join(kGroupings, ", "));
               });
  options.text("--gpu-means", means, "FILE", "CSV with means per GPU, instead of their samples'");
  options.text("--out", out, "DIR", "write tables as CSV files: events, levels, hosts, ...");
  options.text("--part", part, "FILE", "write a part for `ergon fleet merge`");
  options.non_negative_number("--price-kwh", prices.per_kwh, "price per kWh");
  options.non_negative_number("--carbon", prices.carbon_grams_per_kwh, "grams of CO2 per kWh");
}

bool FleetOutput::shows(std::string_view table) const {
  if (by.empty()) return table == "event" || table == "level";
  return std::find(by.begin(), by.end(), table) != by.end();
}

Result<> FleetOutput::write_part(const fleet::Tally& tally, const std::string& file,
                                 const std::vector<std::string>& inputs, Shell& shell) const {
  return write_file(file, shell.document(report::kFleetPartSchema, inputs, report::fleet_part_json(tally),
                                         tally.simulated));
}

Result<int> FleetOutput::deliver(const fleet::Tally& tally, std::vector<std::string> inputs,
                                 const std::vector<std::string>& warnings, Shell& shell) const {
  std::vector<fleet::GpuMeans> from_file;
  if (means) {
    auto read = read_gpu_means(*means);
    if (!read) return read.error();
    from_file = std::move(*read);
    inputs.push_back(*means);
  }
  const fleet::FleetSummary summary = fleet::summarize(tally, from_file);
  if (part) {
    if (auto written = write_part(tally, *part, inputs, shell); !written) return written.error();
  }
  if (out) {
    if (auto written = write_fleet_tables(summary, *out); !written) return written.error();
    const std::string file = (std::filesystem::path(*out) / "part.json").string();
    if (auto written = write_part(tally, file, inputs, shell); !written) return written.error();
  }
  for (const std::string& warning : warnings) shell.note(warning);
  Result<> printed;
  if (shell.json) {
    auto body =
        report::fleet_json(summary, prices,
                           {shell.html_requested() || shows("host"), shell.html_requested() || shows("gpu"),
                            shell.html_requested() || shows("time")});
    body["warnings"] = warnings;
    printed = shell.print_document("ergon.fleet/2", std::move(inputs), body, tally.simulated);
  } else {
    printed = shell.print_report((tally.simulated ? "simulated: " : "") +
                                 fleet_text(summary, *this, shell.table_style()));
  }
  if (!printed) return printed.error();
  return kExitDone;
}

Result<std::vector<fleet::GpuMeans>> read_gpu_means(const std::string& file) {
  // Read identities as text, to keep leading zeros.
  table::CsvOptions csv;
  for (const char* column : {"hostname", "host", "gpuUUID", "uuid", "gpuSerial", "serial"})
    csv.types[column] = table::Type::text;
  csv.types_must_exist = false;
  const auto read = table::read_csv(file, csv);
  if (!read) return read.error();
  const auto roles = fleet::means_roles();
  const std::vector<std::string> names(read->table.names().begin(), read->table.names().end());
  const auto columns_found = fleet::find_columns(roles, names, {});
  if (!columns_found) return columns_found.error().in(file);
  const auto columns = read->table.columns();
  const auto column = [&](std::size_t role) {
    return (*columns_found)[role] == fleet::kAbsent ? nullptr : &columns[(*columns_found)[role]];
  };
  constexpr std::size_t kFirstMetric = 2;
  std::vector<fleet::GpuMeans> all(read->table.rows());
  for (std::size_t row = 0; row < all.size(); ++row) {
    if (const auto* host = column(0)) all[row].host = host->cell(row);
    if (const auto* uuid = column(1)) all[row].uuid = uuid->cell(row);
    for (std::size_t m = 0; m < fleet::kMetrics; ++m) {
      const table::Column& values = *column(kFirstMetric + m);
      if (!values.numeric())
        return fail(Errc::invalid_input, "{}: column {} is not numeric", file, fleet::kMetricNames[m]);
      if (!values.missing(row)) all[row].mean[m] = values.number_at(row);
    }
  }
  return all;
}

}  // namespace ergon::app
