#include "fleet/answers/hosts.h"

#include <algorithm>
#include <cmath>

#include "base/statistics/quantile.h"
#include "fleet/answers/event_answers.h"

namespace ergon::fleet {
namespace {

// Deviations of a normal in one median absolute deviation.
constexpr double kMadsPerDeviation = 1.482602218505602;
// A clock that is off by less than this cannot be told from one that is right.
constexpr double kLeastSkewSeconds = 1.0;
constexpr double kSkewDeviations = 6;
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

// Work begins some time after START and ends some time before STOP, much the same on all hosts. Where a
// sampler's clock runs ahead, its first is later and its second shorter than the others'.
void find_skew(const std::vector<Cell>& tasks, std::vector<HostAnswer>& hosts) {
  std::vector<double> leads, trails;
  for (const Cell& cell : tasks) {
    if (cell.busy_events == 0) continue;
    leads.push_back(cell.lead_seconds / static_cast<double>(cell.busy_events));
    trails.push_back(cell.trail_seconds / static_cast<double>(cell.busy_events));
  }
  if (leads.size() < kFewestHosts) return;
  const Centre lead = centre_of(leads), trail = centre_of(trails);
  const double least =
      std::max(kLeastSkewSeconds, kSkewDeviations * std::max(lead.deviation, trail.deviation));
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (tasks[i].busy_events < kFewestHosts) continue;
    const auto events = static_cast<double>(tasks[i].busy_events);
    const double later = tasks[i].lead_seconds / events - lead.median;
    const double sooner = tasks[i].trail_seconds / events - trail.median;
    if (later * sooner >= 0) continue;
    const double skew = std::abs(later) > std::abs(sooner) ? later : -sooner;
    if (std::abs(skew) >= least) hosts[i].skew_seconds = skew;
  }
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

std::vector<HostAnswer> host_answers(const Tally& tally, const std::string& outermost,
                                     const std::vector<GpuAnswer>& gpus) {
  std::vector<HostAnswer> answers;
  std::vector<Cell> tasks;
  for (const auto& [name, host] : tally.hosts) {
    HostAnswer answer;
    answer.name = name;
    answer.duplicates = host.duplicates;
    answer.gpus = host.gpus.size();
    const Cell& own = tasks.emplace_back(tasks_of(host, outermost));
    answer.tasks = own.events;
    if (own.events > 0)
      answer.task_seconds =
          mean_of(static_cast<double>(own.duration_ns) / 1e9, own.duration_squares, own.events);
    for (const auto& [key, cell] : host.cells) answer.events += cell.events;
    for (const GpuTally& gpu : host.gpus) {
      answer.joules += gpu.sums.total.joules;
      answer.gpu_seconds += gpu.sums.total.seconds;
      answer.idle_joules += gpu.sums.idle().joules;
      answer.idle_seconds += gpu.sums.idle().seconds;
    }
    if (const auto change = host.changes.find(outermost); change != host.changes.end())
      answer.change = change->second;
    answers.push_back(std::move(answer));
  }
  find_outliers(gpus, answers);
  find_skew(tasks, answers);
  return answers;
}

}  // namespace ergon::fleet
