#include "fleet/analyze_settings.h"

#include <algorithm>

#include "base/text.h"
#include "base/units_text.h"
#include "fleet/prometheus_input.h"
#include "fleet/reading/values.h"

namespace ergon::app {
namespace {

// Samples that come every so often leave no gap after a few that were missed.
constexpr double kStepsInGap = 5;
constexpr Seconds kLongestGap{86400}, kLongestLongest{86400.0 * 366};

Result<fleet::Mapping> mapping_of(const std::optional<std::string>& text, const char* option) {
  if (!text) return fleet::Mapping{};
  auto mapping = fleet::parse_mapping(*text);
  if (!mapping) return mapping.error().in(option);
  return mapping;
}

}  // namespace

void FleetAnalyzeSettings::declare(Options& options) {
  options.list("--checkpoints", checkpoints, "FILE,...", "events of tasks: START and STOP");
  options.list("--gpu", gpu, "FILE,...", "samples of GPUs, also nvidia-smi's: hosts by file name");
  options.text("--tasks", tasks, "FILE", "which level a task belongs to");
  options.text("--prometheus", prometheus, "URL", "samples from a Prometheus instead");
  options.text("--from", from, "T", "...from then, as 2018-11-08T07:00Z or now-2h");
  options.text("--to", to, "T", "...to then");
  options.positive_quantity("--step", step, "...that far apart (15 s)");
  options.text("--map-checkpoints", checkpoint_map, "R=C,...", "columns: time, host, event, type, job, task");
  options.text("--map-gpu", gpu_map, "R=C,...",
               "time, host, uuid, serial, index, power, temperature, utilisation, memory");
  options.text("--map-tasks", task_map, "R=C,...", "task, job, level");
  options.text("--time-zone", time_zone, "+hh:mm", "of times that do not say theirs (UTC)");
  options.flag("--keep-duplicates", keep_duplicates, "count equal rows as often as they are there");
  options.positive_quantity("--gap", gap, "samples further apart tell nothing (60 s)");
  options.positive_quantity("--longest-event", longest, "whatever takes longer is none (24 h)");
  output.declare(options);
}

Result<> FleetAnalyzeSettings::check() const {
  if (checkpoints.empty() && gpu.empty() && !prometheus)
    return fail(Errc::invalid_input, "nothing to analyse: --checkpoints, --gpu or --prometheus");
  if (prometheus && !gpu.empty()) return fail(Errc::invalid_input, "--gpu or --prometheus, not both");
  if (prometheus && (!from || !to)) return fail(Errc::invalid_input, "--prometheus wants --from and --to");
  if (!prometheus && (from || to || step))
    return fail(Errc::invalid_input, "--from, --to and --step go with --prometheus");
  if (time_zone && !fleet::read_zone(*time_zone))
    return fail(Errc::invalid_input, "--time-zone wants +hh:mm or Z, got \"{}\"", printable(*time_zone));
  const auto files_read = files();
  if (std::count(files_read.begin(), files_read.end(), "-") > 1)
    return fail(Errc::invalid_input, "only one file can be standard input");
  struct Given {
    const std::optional<std::string>& map;
    std::span<const fleet::Role> roles;
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
  if (gap && *gap > kLongestGap)
    return fail(Errc::invalid_input, "--gap wants {} at most", to_text(kLongestGap));
  if (longest && *longest > kLongestLongest)
    return fail(Errc::invalid_input, "--longest-event wants {} at most", to_text(kLongestLongest));
  return {};
}

std::vector<std::string> FleetAnalyzeSettings::files() const {
  std::vector<std::string> all = checkpoints;
  all.insert(all.end(), gpu.begin(), gpu.end());
  if (tasks) all.push_back(*tasks);
  return all;
}

fleet::Rules FleetAnalyzeSettings::rules() const {
  fleet::Rules rules;
  rules.keep_duplicates = keep_duplicates;
  if (step) rules.gap = std::max(rules.gap, *step * kStepsInGap);
  if (gap) rules.gap = *gap;
  if (longest) rules.longest = *longest;
  return rules;
}

Result<fleet::Inputs> FleetAnalyzeSettings::inputs(Timestamp now, const std::stop_token& stop) const {
  fleet::Inputs inputs;
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
