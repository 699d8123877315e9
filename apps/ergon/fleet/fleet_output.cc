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

const std::vector<std::string> kShown{"event", "level", "host", "gpu", "task", "time"};

}  // namespace

void FleetOutput::declare(Options& options) {
  options.list("--by", by, "W,...", "event, level (usual), host, gpu, task, time",
               [](std::string_view word) -> Result<> {
                 if (std::find(kShown.begin(), kShown.end(), word) != kShown.end()) return {};
                 return fail(Errc::invalid_input, "--by wants {}, got \"{}\"{}", fmt::join(kShown, ", "),
                             printable(word), suggestion(word, kShown));
               });
  options.text("--gpu-means", means, "FILE", "means of GPUs from elsewhere, for the correlations");
  options.text("--out", out, "DIR", "tables: events, levels, hosts, gpus, ... as CSV");
  options.text("--part", part, "FILE", "what `ergon fleet merge` takes");
  options.amount("--price-kwh", prices.per_kwh, "price of a kilowatt-hour");
  options.amount("--carbon", prices.carbon_grams_per_kwh, "grams of CO2 a kilowatt-hour");
}

bool FleetOutput::wants(std::string_view what) const {
  if (by.empty()) return what == "event" || what == "level";
  return std::find(by.begin(), by.end(), what) != by.end();
}

Result<> FleetOutput::write_part(const fleet::Tally& tally, const std::string& file,
                                 const std::vector<std::string>& inputs, Shell& shell) const {
  return write_file(file, shell.document(report::kFleetPartSchema, inputs, report::fleet_part_json(tally),
                                         tally.simulated));
}

Result<int> FleetOutput::deliver(const fleet::Tally& tally, std::vector<std::string> inputs,
                                 const std::vector<std::string>& remarks, Shell& shell) const {
  std::vector<fleet::GpuMeans> from_file;
  if (means) {
    auto read = read_gpu_means(*means);
    if (!read) return read.error();
    from_file = std::move(*read);
    inputs.push_back(*means);
  }
  const fleet::FleetAnswers answers = fleet::answers_of(tally, from_file);
  if (part) {
    if (auto written = write_part(tally, *part, inputs, shell); !written) return written.error();
  }
  if (out) {
    if (auto written = write_fleet_tables(answers, *out); !written) return written.error();
    const std::string file = (std::filesystem::path(*out) / "part.json").string();
    if (auto written = write_part(tally, file, inputs, shell); !written) return written.error();
  }
  for (const std::string& remark : remarks) shell.note(remark);
  Result<> printed;
  if (shell.json) {
    auto body = report::fleet_json(
        answers, prices,
        {shell.drawn() || wants("host"), shell.drawn() || wants("gpu"), shell.drawn() || wants("time")});
    body["remarks"] = remarks;
    printed = shell.print_document("ergon.fleet/1", std::move(inputs), body, tally.simulated);
  } else {
    printed =
        shell.print((tally.simulated ? "simulated: " : "") + fleet_text(answers, *this, shell.table_style()));
  }
  if (!printed) return printed.error();
  return kExitDone;
}

Result<std::vector<fleet::GpuMeans>> read_gpu_means(const std::string& file) {
  // Identities stay texts, with their leading zeros.
  table::CsvOptions csv;
  for (const char* column : {"hostname", "host", "gpuUUID", "uuid", "gpuSerial", "serial"})
    csv.types[column] = table::Type::text;
  csv.types_must_exist = false;
  const auto read = table::read_csv(file, csv);
  if (!read) return read.error();
  const auto roles = fleet::means_roles();
  const std::vector<std::string> names(read->table.names().begin(), read->table.names().end());
  const auto places = fleet::find_columns(roles, names, {});
  if (!places) return places.error().in(file);
  const auto columns = read->table.columns();
  const auto column = [&](std::size_t role) {
    return (*places)[role] == fleet::kAbsent ? nullptr : &columns[(*places)[role]];
  };
  constexpr std::size_t kFirstMetric = 2;
  std::vector<fleet::GpuMeans> all(read->table.rows());
  for (std::size_t row = 0; row < all.size(); ++row) {
    if (const auto* host = column(0)) all[row].host = host->cell(row);
    if (const auto* uuid = column(1)) all[row].uuid = uuid->cell(row);
    for (std::size_t m = 0; m < fleet::kMetrics; ++m) {
      const table::Column& values = *column(kFirstMetric + m);
      if (!values.numeric())
        return fail(Errc::invalid_input, "{}: {} is no number", file, fleet::kMetricNames[m]);
      if (!values.missing(row)) all[row].mean[m] = values.number_at(row);
    }
  }
  return all;
}

}  // namespace ergon::app
