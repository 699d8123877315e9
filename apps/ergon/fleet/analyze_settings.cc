#include "fleet/analyze_settings.h"

#include <algorithm>

#include "base/text.h"
#include "base/units_text.h"
#include "fleet/prometheus_input.h"
#include "fleet/reading/values.h"

namespace ergon::app {
namespace {

// With Prometheus, the default gap is at least this many steps, so a few missed samples are interpolated.
constexpr double kStepsInGap = 5;
constexpr Seconds kMaxGap{86400}, kMaxMaxEvent{86400.0 * 366};

Result<fleet::ColumnMapping> mapping_of(const std::optional<std::string>& text, const char* option) {
  if (!text) return fleet::ColumnMapping{};
  auto mapping = fleet::parse_mapping(*text);
  if (!mapping) return mapping.error().in(option);
  return mapping;
}

}  // namespace

void FleetAnalyzeSettings::declare(Options& options) {
  options.list("--checkpoints", checkpoints, "FILE,...", "CSV of application events (START and STOP)");
  options.list("--gpu", gpu, "FILE,...",
               "CSV of GPU samples, or logs of nvidia-smi; the file name is the host if no column is");
  options.text("--tasks", tasks, "FILE", "CSV with the level of each task");
  options.text("--prometheus", prometheus, "URL", "read samples from Prometheus instead of --gpu");
  options.text("--from", from, "T", "start of the Prometheus query, for example 2018-11-08T07:00Z or now-2h");
  options.text("--to", to, "T", "end of the Prometheus query");
  options.positive_quantity("--step", step, "step of the Prometheus query (default: 15s)");
  options.text("--map-checkpoints", checkpoint_map, "R=C,...",
               "event columns: time, host, event, type, job, task");
  options.text("--map-gpu", gpu_map, "R=C,...",
               "columns of samples; roles: time, host, uuid, serial, index, power, temperature, utilization, "
               "memory");
  options.text("--map-tasks", task_map, "R=C,...", "columns of tasks; roles: task, job, level");
  options.text("--time-zone", time_zone, "+hh:mm", "time zone of timestamps without one (default: UTC)");
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
  if (time_zone && !fleet::read_zone(*time_zone))
    return fail(Errc::invalid_input, "--time-zone: \"{}\" is not +hh:mm or Z", printable(*time_zone));
  const auto files_read = files();
  if (std::count(files_read.begin(), files_read.end(), "-") > 1)
    return fail(Errc::invalid_input, "only one file can be standard input (-)");
  struct Given {
    const std::optional<std::string>& map;
    std::span<const fleet::ColumnRole> roles;
    const char* option;
  };
  for (const Given& each : {Given{checkpoint_map, fleet::checkpoint_roles(), "--map-checkpoints"},
                            Given{gpu_map, fleet::sample_roles(), "--map-gpu"},
                            Given{task_map, fleet::task_roles(), "--map-tasks"}}) {
    const auto mapping = mapping_of(each.map, each.option);
    if (!mapping) return mapping.error();
    if (const auto roles = fleet::check_roles(each.roles, *mapping); !roles)
      return roles.error().in(each.option);
  }
  if (gap && *gap > kMaxGap) return fail(Errc::invalid_input, "--gap: the maximum is {}", to_text(kMaxGap));
  if (max_event && *max_event > kMaxMaxEvent)
    return fail(Errc::invalid_input, "--max-event: the maximum is {}", to_text(kMaxMaxEvent));
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
  if (step) rules.gap = std::max(rules.gap, *step * kStepsInGap);
  if (gap) rules.gap = *gap;
  if (max_event) rules.max_event = *max_event;
  return rules;
}

Result<fleet::FleetInputs> FleetAnalyzeSettings::inputs(Timestamp now, const std::stop_token& stop) const {
  fleet::FleetInputs inputs;
  const auto checkpoint_columns = mapping_of(checkpoint_map, "--map-checkpoints");
  if (!checkpoint_columns) return checkpoint_columns.error();
  const auto gpu_columns = mapping_of(gpu_map, "--map-gpu");
  if (!gpu_columns) return gpu_columns.error();
  const auto task_columns = mapping_of(task_map, "--map-tasks");
  if (!task_columns) return task_columns.error();
  for (const std::string& file : checkpoints)
    inputs.logs.push_back({file, fleet::LogKind::checkpoints, *checkpoint_columns, {}});
  for (const std::string& file : gpu)
    inputs.logs.push_back({file, fleet::LogKind::samples, *gpu_columns, {}});
  if (tasks) inputs.tasks = *tasks;
  inputs.task_mapping = *task_columns;
  if (time_zone) inputs.zone_ns = fleet::read_zone(*time_zone).value_or(0);
  if (prometheus) {
    PrometheusSettings settings{*prometheus, *from, *to};
    if (step) settings.step = to_text(*step);
    auto source = prometheus_input(settings, now, stop);
    if (!source) return source.error();
    inputs.others.push_back(std::move(*source));
  }
  return inputs;
}

}  // namespace ergon::app
