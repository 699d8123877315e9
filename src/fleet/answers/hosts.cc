#include "fleet/answers/hosts.h"

#include <algorithm>
#include <cmath>

#include "base/statistics/quantile.h"
#include "fleet/answers/event_answers.h"
#include "fleet/answers/skew.h"

namespace ergon::fleet {
namespace {

// Deviations of a normal in one median absolute deviation.
constexpr double kMadsPerDeviation = 1.482602218505602;
constexpr std::size_t kFewestHosts = 8;

struct Centre {
  double median = 0, deviation = 0;
};

Centre centre_of(std::vector<double> values) {
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  Centre centre{statistics::quantile_of_sorted(values, 0.5).value_or(0), 0};
  for (double& value : values) value = std::abs(value - centre.median);
  std::sort(values.begin(), values.end());
  centre.deviation = kMadsPerDeviation * statistics::quantile_of_sorted(values, 0.5).value_or(0);
  return centre;
}

// The cell of the outermost events of a host.
Cell tasks_of(const HostTally& host, const std::string& outermost) {
  Cell tasks;
  for (const auto& [key, cell] : host.cells) {
    if (key.first == outermost) tasks.merge(cell);
  }
  return tasks;
}

// How far each host's mean task lies from the median of its population.
void find_outliers(const std::vector<GpuAnswer>& gpus, std::vector<HostAnswer>& hosts) {
  std::map<std::string, int> population;
  for (const GpuAnswer& gpu : gpus) population[gpu.host] = gpu.population;
  std::map<int, std::vector<double>> means;
  const auto group_of = [&](const HostAnswer& host) {
    const auto found = population.find(host.name);
    return found == population.end() ? -1 : found->second;
  };
  for (const HostAnswer& host : hosts) {
    if (host.tasks > 0) means[group_of(host)].push_back(host.task_seconds.value);
  }
  std::map<int, Centre> centres;
  for (const auto& [group, values] : means) {
    if (values.size() >= kFewestHosts) centres[group] = centre_of(values);
  }
  for (HostAnswer& host : hosts) {
    const auto centre = centres.find(group_of(host));
    if (host.tasks == 0 || centre == centres.end() || !(centre->second.deviation > 0)) continue;
    host.z = (host.task_seconds.value - centre->second.median) / centre->second.deviation;
  }
}

}  // namespace

Seconds typical_period(const GpuSums& gpu) {
  const std::uint64_t stretches = gpu.samples > gpu.gaps + 1 ? gpu.samples - gpu.gaps - 1 : 0;
  return stretches > 0 ? (gpu.last - gpu.first - gpu.gap_time) / static_cast<double>(stretches) : Seconds{0};
}

std::vector<HostAnswer> host_answers(const Tally& tally, const std::string& outermost,
                                     const std::vector<GpuAnswer>& gpus) {
  std::vector<HostAnswer> answers;
  for (const auto& [name, host] : tally.hosts) {
    HostAnswer answer;
    answer.name = name;
    answer.duplicates = host.duplicates;
    answer.gpus = host.gpus.size();
    const Cell own = tasks_of(host, outermost);
    answer.tasks = own.events;
    if (own.events > 0)
      answer.task_seconds =
          mean_of(static_cast<double>(own.duration_ns) / 1e9, own.duration_squares, own.events);
    for (std::size_t m = 0; m < kMetrics; ++m) {
      if (own.mean_events[m] > 0) answer.mean[m] = own.mean[m] / static_cast<double>(own.mean_events[m]);
    }
    for (const auto& [key, cell] : host.cells) answer.events += cell.events;
    for (const GpuTally& gpu : host.gpus) {
      answer.energy += gpu.sums.total.energy;
      answer.gpu_time += gpu.sums.total.time;
      answer.idle_energy += gpu.sums.idle().energy;
      answer.idle_time += gpu.sums.idle().time;
    }
    if (const auto change = host.changes.find(outermost); change != host.changes.end())
      answer.change = change->second;
    answers.push_back(std::move(answer));
  }
  find_outliers(gpus, answers);
  find_skew(tally, answers);
  return answers;
}

}  // namespace ergon::fleet
