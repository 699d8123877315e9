#include "fleet/analyze_settings.h"

#include <algorithm>

#include "base/text.h"
#include "base/units_text.h"
#include "fleet/prometheus_input.h"
#include "fleet/reading/values.h"
#include "option_parsers.h"

namespace ergon::app {
namespace {

// Parses a mapping of columns to these roles.
auto mapping_parser(std::string option, std::span<const fleet::ColumnRole> roles) {
  return [option = std::move(option), roles](std::string_view text) -> Result<fleet::ColumnMapping> {
    auto mapping = fleet::parse_mapping(text, roles);
    if (!mapping) return mapping.error().in(option);
    return mapping;
  };
}

Result<std::int64_t> parse_zone(std::string_view text) {
  if (const auto zone_ns = fleet::read_zone(text)) return *zone_ns;
  return fail(Errc::invalid_input, "--time-zone: \"{}\" is not +hh:mm or Z", printable(text));
}

Options::Parser time_parser(std::string option, std::optional<Result<fleet::TimeArgument>>& target) {
  return [option = std::move(option), &target](std::string_view text) -> Result<> {
    target = fleet::TimeArgument::parse(text, option);
    return {};
  };
}

}  // namespace

void FleetAnalyzeSettings::declare(Options& options) {
  options.list("--checkpoints", checkpoints, "FILE,...", "CSV of application events (START and STOP)");
  options.list("--gpu", gpu, "FILE,...",
               "CSV of GPU samples, or logs of nvidia-smi; the file name is the host if no column is");
  options.text("--tasks", tasks, "FILE", "CSV with the level of each task");
  options.text("--prometheus", prometheus, "URL", "read samples from Prometheus instead of --gpu");
  options.parsed("--from", "T", "start of the Prometheus query, for example 2018-11-08T07:00Z or now-2h",
                 time_parser("--from", from));
  options.parsed("--to", "T", "end of the Prometheus query", time_parser("--to", to));
  options.positive_quantity("--step", step, "step of the Prometheus query (default: 15s)");
  options.parsed(
      "--map-checkpoints", "R=C,...", "event columns: time, host, event, type, job, task",
      deferring(checkpoint_columns, mapping_parser("--map-checkpoints", fleet::checkpoint_roles())));
  options.parsed("--map-gpu", "R=C,...",
                 "columns of samples; roles: time, host, uuid, serial, index, power, temperature, "
                 "utilization, memory, simulated",
                 deferring(gpu_columns, mapping_parser("--map-gpu", fleet::sample_roles())));
  options.parsed("--map-tasks", "R=C,...", "columns of tasks; roles: task, job, level",
                 deferring(task_columns, mapping_parser("--map-tasks", fleet::task_roles())));
  options.parsed("--time-zone", "+hh:mm", "time zone of timestamps without one (default: UTC)",
                 deferring(zone_ns, parse_zone));
  options.flag("--keep-duplicates", keep_duplicates, "count identical checkpoints each time");
  options.positive_quantity("--gap", gap, "max gap between samples (default: 60s, or 5 steps)");
  options.positive_quantity("--max-event", max_event, "maximum duration of an event (default: 24h)");
  options.renamed("--longest-event", "--max-event");
  output.declare(options);
}

Result<> FleetAnalyzeSettings::check() const {
  if (checkpoints.empty() && gpu.empty() && !prometheus)
    return fail(Errc::invalid_input, "no input: use --checkpoints, --gpu or --prometheus");
  if (prometheus && !gpu.empty())
    return fail(Errc::invalid_input, "--gpu and --prometheus cannot be combined");
  if (prometheus && (!from || !to)) return fail(Errc::invalid_input, "--prometheus requires --from and --to");
  if (!prometheus && (from || to || step))
    return fail(Errc::invalid_input, "--from, --to and --step require --prometheus");
  if (!zone_ns) return zone_ns.error();
  const auto files_read = files();
  if (std::count(files_read.begin(), files_read.end(), "-") > 1)
    return fail(Errc::invalid_input, "only one file can be standard input (-)");
  for (const auto* columns : {&checkpoint_columns, &gpu_columns, &task_columns}) {
    if (!*columns) return columns->error();
  }
  if (gap && *gap > fleet::kMaxGap)
    return fail(Errc::invalid_input, "--gap: the maximum is {}", to_text(fleet::kMaxGap));
  if (max_event && *max_event > fleet::kMaxEventDuration)
    return fail(Errc::invalid_input, "--max-event: the maximum is {}", to_text(fleet::kMaxEventDuration));
  return {};
}

std::vector<std::string> FleetAnalyzeSettings::files() const {
  std::vector<std::string> all = checkpoints;
  all.insert(all.end(), gpu.begin(), gpu.end());
  if (tasks) all.push_back(*tasks);
  return all;
}

fleet::AnalysisRules FleetAnalyzeSettings::rules() const {
  fleet::AnalysisRules rules;
  rules.keep_duplicates = keep_duplicates;
  if (step) rules.allow_for_step(*step);
  if (gap) rules.gap = *gap;
  if (max_event) rules.max_event = *max_event;
  return rules;
}

Result<fleet::FleetInputs> FleetAnalyzeSettings::inputs(Timestamp now, const std::stop_token& stop) const {
  fleet::FleetInputs inputs;
  for (const std::string& file : checkpoints)
    inputs.logs.push_back({file, fleet::LogKind::checkpoints, *checkpoint_columns, {}});
  for (const std::string& file : gpu)
    inputs.logs.push_back({file, fleet::LogKind::samples, *gpu_columns, {}});
  if (tasks) inputs.tasks = *tasks;
  inputs.task_mapping = *task_columns;
  inputs.zone_ns = *zone_ns;
  if (prometheus) {
    for (const auto* time : {&*from, &*to}) {
      if (!*time) return time->error();
    }
    fleet::QueryTimes times{.from = **from, .to = **to};
    if (step) times.step = *step;
    auto source = prometheus_input(*prometheus, times, now, stop);
    if (!source) return source.error();
    inputs.others.push_back(std::move(*source));
  }
  return inputs;
}

}  // namespace ergon::app
