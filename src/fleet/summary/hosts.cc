#include "fleet/summary/hosts.h"

#include <algorithm>
#include <cmath>

#include "base/statistics/quantile.h"
#include "fleet/summary/event_summary.h"
#include "fleet/summary/skew.h"

namespace ergon::fleet {
namespace {

// Standard deviation of a normal distribution over its median absolute deviation (MAD).
constexpr double kDeviationPerMad = 1.482602218505602;
constexpr std::size_t kMinHosts = 8;

struct Center {
  double median = 0, deviation = 0;
};

Center center_of(std::vector<double> values) {
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  Center center{statistics::quantile_of_sorted(values, 0.5).value_or(0), 0};
  for (double& value : values) value = std::abs(value - center.median);
  std::sort(values.begin(), values.end());
  center.deviation = kDeviationPerMad * statistics::quantile_of_sorted(values, 0.5).value_or(0);
  return center;
}

// Totals of the outermost events of a host.
EventTotals tasks_of(const HostTally& host, const std::string& outermost) {
  EventTotals tasks;
  for (const auto& [key, totals] : host.event_totals) {
    if (key.first == outermost) tasks.merge(totals);
  }
  return tasks;
}

// Sets the robust z-score of each host's mean task duration in its population. Hosts without GPUs are
// compared with each other.
void set_z_scores(const std::vector<GpuSummary>& gpus, std::vector<HostSummary>& hosts) {
  using Group = std::optional<std::size_t>;
  std::map<std::string, Group> population;
  for (const GpuSummary& gpu : gpus) population[gpu.host] = gpu.population;
  std::map<Group, std::vector<double>> means;
  const auto group_of = [&](const HostSummary& host) {
    const auto found = population.find(host.name);
    return found == population.end() ? Group() : found->second;
  };
  for (const HostSummary& host : hosts) {
    if (host.tasks > 0) means[group_of(host)].push_back(host.task_seconds.value);
  }
  std::map<Group, Center> centers;
  for (const auto& [group, values] : means) {
    if (values.size() >= kMinHosts) centers[group] = center_of(values);
  }
  for (HostSummary& host : hosts) {
    const auto center = centers.find(group_of(host));
    if (host.tasks == 0 || center == centers.end() || !(center->second.deviation > 0)) continue;
    host.z = (host.task_seconds.value - center->second.median) / center->second.deviation;
  }
}

}  // namespace

Seconds sample_period_of(const GpuSums& gpu) {
  const std::uint64_t intervals = gpu.samples > gpu.gaps + 1 ? gpu.samples - gpu.gaps - 1 : 0;
  return intervals > 0 ? (gpu.last - gpu.first - gpu.gap_time) / static_cast<double>(intervals) : Seconds{0};
}

std::vector<HostSummary> host_summaries(const Tally& tally, const std::string& outermost,
                                        const std::vector<GpuSummary>& gpus) {
  std::vector<HostSummary> summaries;
  for (const auto& [name, host] : tally.hosts) {
    HostSummary summary;
    summary.name = name;
    summary.duplicates = host.duplicates;
    summary.gpus = host.gpus.size();
    const EventTotals own = tasks_of(host, outermost);
    summary.tasks = own.events;
    if (own.events > 0)
      summary.task_seconds = mean_of(own.duration_ns / 1e9, own.duration_squares, own.events);
    for (std::size_t m = 0; m < kMetrics; ++m) {
      if (own.mean_events[m] > 0) summary.mean[m] = own.mean[m] / static_cast<double>(own.mean_events[m]);
    }
    for (const auto& [key, totals] : host.event_totals) summary.events += totals.events;
    for (const GpuTally& gpu : host.gpus) {
      summary.energy += gpu.sums.total.energy;
      summary.gpu_time += gpu.sums.total.time;
      summary.attributed_energy += gpu.sums.events.energy;
      summary.idle_energy += gpu.sums.idle().energy;
      summary.idle_time += gpu.sums.idle().time;
      summary.unattributed_energy += gpu.sums.unattributed.energy;
      summary.unattributed_time += gpu.sums.unattributed.time;
    }
    if (const auto change = host.changes.find(outermost); change != host.changes.end())
      summary.change = change->second;
    summaries.push_back(std::move(summary));
  }
  set_z_scores(gpus, summaries);
  find_skew(tally, summaries);
  return summaries;
}

}  // namespace ergon::fleet
