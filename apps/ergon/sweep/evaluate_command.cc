#include <filesystem>
#include <memory>
#include <system_error>
#include <variant>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "report/evaluation_text.h"
#include "report/sweep_json.h"
#include "sweep/evaluation/columns.h"
#include "sweep/evaluation/evaluation.h"
#include "sweep/evaluation/observation_table.h"
#include "sweep/evaluation/observations.h"
#include "sweep/run_log.h"
#include "sweep/sweep_commands.h"
#include "table/csv/read.h"

namespace ergon::app {
namespace {

struct EvaluateSettings {
  std::string file;
  std::vector<std::string> columns;
  std::optional<Hertz> min_clock, max_clock;
  std::optional<std::string> plot;
  bool points = false;
  std::uint64_t seed = 1;
};

// The runs, or an exit code for invalid options.
using Read = std::variant<sweep::Observations, int>;

Result<Read> read_table(Shell& shell, const EvaluateSettings& settings) {
  table::CsvOptions reading;
  reading.stop = shell.stop();
  const auto csv = table::read_csv(settings.file, reading);
  if (!csv) return csv.error();
  // Column names may contain '=' and ':', so the file is read before --columns is checked.
  const auto mapped = sweep::mapped_sources(csv->table.names(), settings.columns);
  if (!mapped && mapped.error().kind == Errc::invalid_input) {
    shell.error(fmt::format("--columns: {}", mapped.error().message));
    return Read{kExitUsage};
  }
  auto observations = sweep::observations_of(csv->table, settings.columns);
  if (!observations) return observations.error().in(settings.file);
  return Read{std::move(*observations)};
}

// The folder may still be written to; an incomplete last line is ignored.
Result<Read> read_folder(Shell& shell, const EvaluateSettings& settings) {
  if (!settings.columns.empty()) {
    shell.error("--columns cannot be used with a sweep folder, only with a CSV file");
    return Read{kExitUsage};
  }
  const auto rows = sweep::read_runs(settings.file);
  if (!rows) return rows.error();
  return Read{sweep::observations_of(*rows)};
}

Result<int> evaluate(Shell& shell, const EvaluateSettings& settings) {
  std::error_code ignored;
  const bool folder = std::filesystem::is_directory(settings.file, ignored);
  const auto read = folder ? read_folder(shell, settings) : read_table(shell, settings);
  if (!read) return read.error();
  if (const int* code = std::get_if<int>(&*read)) return *code;
  const auto& observations = std::get<sweep::Observations>(*read);
  sweep::EvaluationOptions options;
  options.min_clock = settings.min_clock;
  options.max_clock = settings.max_clock;
  options.association.seed = settings.seed;
  options.stop = shell.stop();
  const sweep::SweepEvaluation evaluation = sweep::evaluate(observations, options);
  if (shell.stop().stop_requested()) return fail(Errc::cancelled, "interrupted");
  if (evaluation.networks.empty())
    return fail(Errc::invalid_input, "{}: no runs between --min-clock and --max-clock", settings.file);

  Result<> printed;
  if (settings.plot && !shell.json) {
    const auto drawn = report::evaluation_plot(evaluation, *settings.plot);
    if (!drawn) return drawn.error();
    printed = shell.print(*drawn);
  } else {
    nlohmann::ordered_json body = {{"file", settings.file}};
    body.update(report::sweep_evaluation_json(evaluation, settings.points || shell.html_requested()));
    printed = shell.print_result("ergon.sweep.evaluate/2", {settings.file}, body, evaluation.simulated, [&] {
      return settings.points ? report::evaluation_points_text(evaluation, shell.table_style())
                             : report::evaluation_text(evaluation, shell.table_style());
    });
  }
  if (!printed) return printed.error();
  return kExitDone;
}

Action declare_evaluate(Options& options) {
  auto settings = std::make_shared<EvaluateSettings>();
  options.argument("FILE", settings->file,
                   "sweep folder, or CSV file of runs (other column names: --columns)");
  options.list("--columns", settings->columns, "OURS=THEIRS,...",
               "map columns; OURS: network, clock, time, power (mean), power_max, energy, batch, device, "
               "scenario, valid");
  options.positive_quantity("--min-clock", settings->min_clock, "exclude lower clocks, for example 500MHz");
  options.renamed("--from", "--min-clock");
  options.positive_quantity("--max-clock", settings->max_clock, "exclude higher clocks");
  options.renamed("--to", "--max-clock");
  options.text("--plot", settings->plot, "NETWORK", "plot power and time of one network over clock");
  options.flag("--points", settings->points, "print every point; with --json, add them to the document");
  options.count("--seed", settings->seed, "seed of the bootstrap intervals (default: 1)");
  return [settings](Shell& shell) { return evaluate(shell, *settings); };
}

}  // namespace

Command sweep_evaluate_command() {
  return {
      .name = "evaluate",
      .summary = "correlations, knees, optimal clocks and conclusions of a sweep",
      .description =
          "Default units are MHz, seconds, watts and joules; a mapping can name another (time=run_time:ms). "
          "A "
          "network name can join columns: network=benchmark+size. Runs that are not valid are excluded and "
          "counted.",
      .declare = declare_evaluate,
      .children = {},
  };
}

}  // namespace ergon::app
