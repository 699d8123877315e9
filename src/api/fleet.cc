#include <ergon/fleet.h>

#include "base/text.h"
#include "fleet/ingest.h"
#include "fleet/reading/values.h"
#include "fleet/summary/fleet_summary.h"

namespace ergon {
namespace {

Result<fleet::ColumnMapping> checked_mapping(const std::map<std::string, std::string>& columns,
                                             std::span<const fleet::ColumnRole> roles,
                                             std::string_view what) {
  fleet::ColumnMapping mapping(columns.begin(), columns.end());
  if (auto known = fleet::check_roles(roles, mapping); !known) return known.error().in(what);
  return mapping;
}

Result<fleet::FleetInputs> fleet_inputs(const FleetFiles& files, const FleetOptions& options) {
  if (files.events.empty() && files.samples.empty())
    return fail(Errc::invalid_input, "no files: give events, samples or both");
  const auto zone = fleet::read_zone(options.time_zone);
  if (!zone)
    return fail(Errc::invalid_input, "time_zone: \"{}\" is not +hh:mm or Z", printable(options.time_zone));
  const auto events = checked_mapping(files.event_columns, fleet::checkpoint_roles(), "event_columns");
  if (!events) return events.error();
  const auto samples = checked_mapping(files.sample_columns, fleet::sample_roles(), "sample_columns");
  if (!samples) return samples.error();
  const auto tasks = checked_mapping(files.task_columns, fleet::task_roles(), "task_columns");
  if (!tasks) return tasks.error();
  fleet::FleetInputs inputs;
  for (const std::string& file : files.events)
    inputs.logs.push_back({file, fleet::LogKind::checkpoints, *events, {}});
  for (const std::string& file : files.samples)
    inputs.logs.push_back({file, fleet::LogKind::samples, *samples, {}});
  if (files.tasks) inputs.tasks = *files.tasks;
  inputs.task_mapping = *tasks;
  inputs.zone_ns = *zone;
  inputs.workers = options.threads;
  return inputs;
}

Estimate<Seconds> mean_duration(const fleet::MeanInterval& mean) {
  return {Seconds{mean.value}, Seconds{mean.low}, Seconds{mean.high}};
}

std::optional<double> metric_mean(const fleet::EventSummary& event, fleet::Metric metric) {
  const auto& mean = event.interval[static_cast<std::size_t>(metric)];
  return mean ? std::optional(mean->value) : std::nullopt;
}

FleetEvent public_event(const fleet::EventSummary& from) {
  FleetEvent to;
  to.name = from.name;
  to.count = from.count;
  to.duration = mean_duration(from.seconds);
  to.median_duration = Seconds{from.seconds_p50};
  to.p95_duration = Seconds{from.seconds_p95};
  to.p99_duration = Seconds{from.seconds_p99};
  to.max_duration = Seconds{from.seconds_max};
  if (const auto power = metric_mean(from, fleet::Metric::power)) to.power = Watts{*power};
  if (const auto heat = metric_mean(from, fleet::Metric::temperature)) to.temperature = Celsius{*heat};
  to.utilization_percent = metric_mean(from, fleet::Metric::utilization);
  to.memory_percent = metric_mean(from, fleet::Metric::memory);
  to.energy = from.energy;
  to.exclusive_energy = from.exclusive_energy;
  to.exclusive_time = from.exclusive_time;
  return to;
}

FleetHost public_host(const fleet::HostSummary& from) {
  FleetHost to;
  to.name = from.name;
  to.tasks = from.tasks;
  to.events = from.events;
  to.gpus = from.gpus;
  to.task_duration = mean_duration(from.task_seconds);
  to.energy = from.energy;
  to.attributed_energy = from.attributed_energy;
  to.idle_energy = from.idle_energy;
  to.unattributed_energy = from.unattributed_energy;
  to.gpu_time = from.gpu_time;
  to.idle_time = from.idle_time;
  to.z_score = from.z;
  to.clock_skew = from.skew;
  return to;
}

FleetReport public_report(const fleet::FleetSummary& from) {
  FleetReport to;
  to.hosts = from.hosts;
  to.gpus = from.gpus;
  to.jobs = from.jobs;
  to.tasks = from.tasks;
  to.event_rows = from.checkpoints.rows;
  to.sample_rows = from.samples.rows;
  to.paired_events = from.paired;
  to.unpaired_rows = from.unpaired.rows();
  to.duplicate_rows = from.duplicates;
  to.energy = from.energy.total;
  to.attributed_energy = from.energy.attributed;
  to.idle_energy = from.energy.idle_energy;
  to.unattributed_energy = from.energy.unattributed.energy;
  to.gpu_time = from.energy.gpu_time;
  to.idle_time = from.energy.idle_time;
  to.sample_period = from.sample_period;
  to.outermost_event = from.outermost;
  for (const fleet::EventSummary& each : from.events) to.events.push_back(public_event(each));
  for (const fleet::HostSummary& each : from.host_list) to.host_list.push_back(public_host(each));
  for (const fleet::Finding& each : from.findings) {
    to.findings.push_back(
        {each.id, each.title, each.detail, each.about_data, each.saving_energy, each.saving_time});
  }
  return to;
}

}  // namespace

Result<FleetReport> analyze_fleet(const FleetFiles& files, const FleetOptions& options) {
  const auto inputs = fleet_inputs(files, options);
  if (!inputs) return inputs.error();
  fleet::AnalysisRules rules;
  if (options.max_gap) rules.gap = *options.max_gap;
  if (options.max_event) rules.max_event = *options.max_event;
  if (!(rules.gap > Seconds{0}) || !(rules.max_event > Seconds{0}))
    return fail(Errc::invalid_input, "max_gap and max_event must be above 0");
  rules.keep_duplicates = options.keep_duplicates;
  fleet::IngestCallbacks callbacks;
  callbacks.stop = options.stop;
  if (options.on_progress) {
    callbacks.on_progress = [&](std::size_t done, std::size_t total) { options.on_progress(done, total); };
  }
  const auto read = fleet::read_fleet(*inputs, rules, callbacks);
  if (!read) return read.error();
  FleetReport report = public_report(fleet::summarize(read->tally));
  report.warnings = read->warnings;
  report.simulated = read->tally.simulated;
  return report;
}

}  // namespace ergon
