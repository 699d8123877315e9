#include "fleet/summary/fleet_summary.h"

#include <algorithm>

#include "base/statistics/quantile.h"
#include "fleet/summary/event_summary.h"
#include "fleet/summary/findings.h"
#include "fleet/summary/hosts.h"
#include "fleet/summary/populations.h"
#include "fleet/summary/unpaired.h"

namespace ergon::fleet {
namespace {

EnergySummary energy_of(const Tally& tally) {
  EnergySummary energy;
  for (const auto& [name, host] : tally.hosts) {
    for (const GpuTally& gpu : host.gpus) {
      energy.total += gpu.sums.total.energy;
      energy.gpu_time += gpu.sums.total.time;
      energy.attributed += gpu.sums.events.energy;
      energy.idle_before += gpu.sums.idle_before;
      energy.idle_between += gpu.sums.idle_between;
      energy.idle_after += gpu.sums.idle_after;
      energy.unattributed += gpu.sums.unattributed;
      if (host.gpus.size() > 1) energy.indivisible += gpu.sums.shared.energy;
    }
    for (const auto& [key, totals] : host.event_totals) energy.exclusive_energy += totals.exclusive_energy;
  }
  EnergyTime idle = energy.idle_before;
  idle += energy.idle_between;
  idle += energy.idle_after;
  energy.idle_energy = idle.energy;
  energy.idle_time = idle.time;
  return energy;
}

Seconds median_period(const Tally& tally) {
  std::vector<double> periods;
  for (const auto& [name, host] : tally.hosts) {
    for (const GpuTally& gpu : host.gpus) {
      const Seconds period = sample_period_of(gpu.sums);
      if (period > Seconds{0}) periods.push_back(period.si());
    }
  }
  return Seconds{statistics::median(periods).value_or(0)};
}

std::vector<LongTask> longest_tasks_of(const Tally& tally, const DurationOutliersByEvent& outliers,
                                       const std::string& outermost) {
  std::vector<LongTask> tasks;
  for (const LongEventRecord& event : tally.longest) {
    if (event.event != outermost) continue;
    LongTask& task = tasks.emplace_back(LongTask{event, {}, false});
    const EventKey key{event.event, event.level};
    const double seconds = static_cast<double>(event.duration_ns) / 1e9;
    const auto distribution = tally.distributions.find(key);
    if (distribution == tally.distributions.end()) continue;
    const double median = distribution->second.durations_ns.quantile(0.5).value_or(0) / 1e9;
    if (median > 0) task.times_median = seconds / median;
    const auto late = outliers.find(key);
    task.straggler = median > 0 && late != outliers.end() && seconds > late->second.fence_seconds;
  }
  return tasks;
}

}  // namespace

FleetSummary summarize(const Tally& tally, const std::vector<GpuMeans>& means) {
  FleetSummary summary;
  summary.rules = tally.rules;
  summary.simulated =
      tally.simulated || std::ranges::any_of(means, [](const GpuMeans& each) { return each.simulated; });
  summary.checkpoints = tally.checkpoints;
  summary.samples = tally.samples;
  summary.tasks = tally.tasks.size();
  summary.hosts = tally.hosts.size();
  summary.jobs = tally.jobs.size();
  for (const auto& [name, host] : tally.hosts) {
    summary.duplicates += host.duplicates;
    summary.gpus += host.gpus.size();
    for (const GpuTally& gpu : host.gpus) summary.duplicate_samples += gpu.sums.duplicates;
    for (const auto& [key, totals] : host.event_totals) summary.paired += totals.events;
  }
  summary.repeated_boards = repeated_boards(tally);
  for (const RepeatedBoard& board : summary.repeated_boards) {
    // The GPU time of a board that is on several hosts at once is in the totals of each of them, and so is
    // the GPU.
    if (!board.at_once) summary.gpus -= board.hosts.size() - 1;
  }
  summary.unpaired = unpaired_of(tally);
  summary.outermost = outermost_event(tally);
  summary.events = event_summaries(tally);
  summary.levels = level_summaries(tally, summary.outermost);
  summary.gpu_list = gpu_summaries(tally, summary.outermost, means);
  summary.populations = find_populations(summary.gpu_list);
  summary.correlations = correlations_of(summary.gpu_list, summary.populations.groups.size());
  summary.host_list = host_summaries(tally, summary.outermost, summary.gpu_list);
  summary.energy = energy_of(tally);
  const DurationOutliersByEvent outliers = duration_outliers(tally);
  summary.longest_tasks = longest_tasks_of(tally, outliers, summary.outermost);
  for (const LongTask& each : summary.longest_tasks) {
    if (each.straggler) summary.stragglers.push_back({each.event, *each.times_median});
  }
  summary.sample_period = median_period(tally);
  summary.findings = findings_of(tally, outliers, summary);
  summary.heat_map = heat_map_of(tally);
  summary.over_time = fleet_over_time(tally);
  return summary;
}

}  // namespace ergon::fleet
