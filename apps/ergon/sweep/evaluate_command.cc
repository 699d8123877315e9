#include <filesystem>
#include <memory>
#include <system_error>
#include <variant>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "report/sweep_json.h"
#include "sweep/evaluation/columns.h"
#include "sweep/evaluation/evaluation.h"
#include "sweep/evaluation/observation_table.h"
#include "sweep/evaluation/observations.h"
#include "sweep/evaluation_text.h"
#include "sweep/run_log.h"
#include "sweep/sweep_commands.h"
#include "table/csv/read.h"

namespace ergon::app {
namespace {

struct EvaluateSettings {
  std::string file;
  std::vector<std::string> columns;
  std::optional<Hertz> from, to;
  std::optional<std::string> plot;
  bool points = false;
  std::uint64_t seed = 1;
};

// What was asked for, or the exit code of a line that cannot be understood.
using Read = std::variant<sweep::Observations, int>;

Result<Read> read_table(Shell& shell, const EvaluateSettings& settings) {
  table::CsvOptions reading;
  reading.stop = shell.stop();
  const auto csv = table::read_csv(settings.file, reading);
  if (!csv) return csv.error();
  // Which '=' and ':' are part of a name only the file tells; so it is read before usage is judged.
  const auto mapped = sweep::mapped_sources(csv->table.names(), settings.columns);
  if (!mapped && mapped.error().kind == Errc::invalid_input) {
    shell.error(fmt::format("--columns: {}", mapped.error().message));
    return Read{kExitUsage};
  }
  auto observations = sweep::observations_of(csv->table, settings.columns);
  if (!observations) return observations.error().in(settings.file);
  return Read{std::move(*observations)};
}

// A sweep may still be writing to it: half a line at the end does not count.
Result<Read> read_folder(Shell& shell, const EvaluateSettings& settings) {
  if (!settings.columns.empty()) {
    shell.error("--columns is for files of others; the columns of a sweep's folder are known");
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
  options.from = settings.from;
  options.to = settings.to;
  options.association.seed = settings.seed;
  options.stop = shell.stop();
  const sweep::Evaluation evaluation = sweep::evaluate(observations, options);
  if (shell.stop().stop_requested()) return fail(Errc::cancelled, "interrupted");
  if (evaluation.networks.empty())
    return fail(Errc::invalid_input, "{}: no run is left to be evaluated", settings.file);

  Result<> printed;
  if (shell.json) {
    nlohmann::ordered_json body = {{"file", settings.file}};
    body.update(report::sweep_evaluation_json(evaluation, settings.points || shell.drawn()));
    printed = shell.print_document("ergon.sweep.evaluate/1", {settings.file}, body, evaluation.simulated);
  } else if (settings.plot) {
    const auto drawn = evaluation_plot(evaluation, *settings.plot);
    if (!drawn) return drawn.error();
    printed = shell.print(*drawn);
  } else if (settings.points) {
    printed = shell.print(evaluation_points_text(evaluation, shell.table_style()));
  } else {
    printed = shell.print(evaluation_text(evaluation, shell.table_style()));
  }
  if (!printed) return printed.error();
  return kExitDone;
}

Action declare_evaluate(Options& options) {
  auto settings = std::make_shared<EvaluateSettings>();
  options.argument("FILE", settings->file,
                   "a sweep's folder, or a CSV file of runs: ours, or any with --columns");
  options.list("--columns", settings->columns, "OURS=THEIRS,...",
               "OURS: network, clock, time, power (mean), power_max, energy, batch, device, scenario, valid");
  options.positive_quantity("--from", settings->from, "leave lower clocks out, such as 500MHz");
  options.positive_quantity("--to", settings->to, "leave higher clocks out");
  options.text("--plot", settings->plot, "NETWORK", "draw power and time over clock instead");
  options.flag("--points", settings->points, "every point instead; with --json besides");
  options.count("--seed", settings->seed, "of the resampling behind the intervals (1)");
  return [settings](Shell& shell) { return evaluate(shell, *settings); };
}

}  // namespace

Command sweep_evaluate_command() {
  return {
      .name = "evaluate",
      .summary = "what a sweep says: correlations, knees, optima and four plain answers",
      .description =
          "Numbers are in MHz, seconds, watts and joules unless a column says otherwise "
          "(time=run_time:ms). A network's name may join columns: network=benchmark+size. Runs that are not "
          "valid are left out and counted.",
      .declare = declare_evaluate,
      .children = {},
  };
}

}  // namespace ergon::app
