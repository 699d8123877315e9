#include "fleet/summary/findings.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "base/number_text.h"
#include "base/prices.h"
#include "base/text.h"
#include "base/units_text.h"
#include "fleet/summary/data_findings.h"
#include "fleet/summary/hosts.h"

namespace ergon::fleet {
namespace {

// A GPU counts as waiting below this utilization.
constexpr double kWaitingPercent = 5;

const EventSummary* event_named(const FleetSummary& summary, const std::string& name) {
  for (const EventSummary& event : summary.events) {
    if (event.name == name) return &event;
  }
  return nullptr;
}

// Energy of `time` at the mean power of the event, for the share of its events that have samples. Absent if
// the power is unknown.
std::optional<Joules> energy_of(const EventSummary& event, Seconds time) {
  const auto& watts = event.interval[static_cast<std::size_t>(Metric::power)];
  if (!watts || event.count == 0) return std::nullopt;
  const double covered = 1 - static_cast<double>(event.uncovered) / static_cast<double>(event.count);
  return Watts{watts->value} * time * covered;
}

double hours(Seconds time) { return time.si() / kSecondsPerHour; }

void add_idle(const FleetSummary& summary, std::vector<Finding>& findings) {
  const EnergySummary& energy = summary.energy;
  const auto add = [&](std::string id, std::string title, const EnergyTime& spent, std::string_view advice) {
    if (!(spent.energy > Joules{0})) return;
    findings.push_back({std::move(id), std::move(title),
                        fmt::format("{} of {} GPU-hours are idle; {}", grouped_text(hours(spent.time), 3),
                                    grouped_text(hours(energy.gpu_time)), advice),
                        false, spent.energy, spent.time});
  };
  add("idle_between", "GPUs are idle between tasks", energy.idle_between,
      "assign the next task before the current one ends");
  EnergyTime outside = energy.idle_before;
  outside += energy.idle_after;
  add("idle_outside", "GPUs are idle before their first and after their last task", outside,
      "allocate hosts later and release them earlier");
}

void add_waiting(const FleetSummary& summary, std::vector<Finding>& findings) {
  Joules energy;
  Seconds time;
  std::vector<std::string> names;
  for (const EventSummary& event : summary.events) {
    const auto& used = event.interval[static_cast<std::size_t>(Metric::utilization)];
    if (!used || used->value >= kWaitingPercent || event.name == summary.outermost) continue;
    energy += event.exclusive_energy;
    time += event.exclusive_time;
    names.push_back(event.name);
  }
  if (!(energy > Joules{0})) return;
  findings.push_back(
      {"waiting", "GPUs wait during host work",
       fmt::format("{} is used during {}, with utilization below {:.0f} %; overlap them with the next task",
                   to_text(energy), fmt::join(names, ", "), kWaitingPercent),
       false, energy, time});
}

void add_slow_population(const FleetSummary& summary, std::vector<Finding>& findings) {
  const Populations& all = summary.populations;
  if (all.groups.size() != 2 || !(all.groups[1].task_seconds > all.groups[0].task_seconds)) return;
  // Saving if the slower GPUs needed the energy and time per task of the faster ones.
  Joules energy[2];
  double tasks[2] = {0, 0};
  for (const GpuSummary& gpu : summary.gpu_list) {
    if (!gpu.population) continue;
    energy[*gpu.population] += gpu.events.energy;
    tasks[*gpu.population] += static_cast<double>(gpu.tasks);
  }
  const Seconds time{tasks[1] * (all.groups[1].task_seconds - all.groups[0].task_seconds)};
  std::optional<Joules> saved;
  if (summary.energy.total > Joules{0} && tasks[0] > 0)
    saved = std::max(Joules{0}, energy[1] - tasks[1] * energy[0] / tasks[0]);
  findings.push_back({"slow_population", "One group of GPUs is slower",
                      fmt::format("{} GPUs need {:.2f} s per task and {} need {:.2f} s; the groups differ in "
                                  "{} (separation {:.1f}): "
                                  "compare their hardware, clocks and drivers",
                                  all.groups[1].gpus, all.groups[1].task_seconds, all.groups[0].gpus,
                                  all.groups[0].task_seconds, all.split_by, all.separation),
                      false, saved, time});
}

// Tasks, and events inside them, with outlying durations.
void add_late_events(const DurationOutliersByEvent& outliers, const FleetSummary& summary,
                     std::vector<Finding>& findings) {
  constexpr double kMinShare = 1e-3;  // of the total task time
  const EventSummary* task = event_named(summary, summary.outermost);
  if (task == nullptr) return;
  for (const EventSummary& event : summary.events) {
    DurationOutliers all;
    for (const auto& [key, late] : outliers) {
      if (key.first != event.name) continue;
      all.count += late.count;
      all.excess_seconds += late.excess_seconds;
    }
    const bool whole_tasks = event.name == summary.outermost;
    const double tasks_seconds = task->seconds.value * static_cast<double>(task->count);
    if (!(all.count > 0) || (!whole_tasks && all.excess_seconds < kMinShare * tasks_seconds)) continue;
    findings.push_back({whole_tasks ? "stragglers" : fmt::format("late_{}", event.name),
                        whole_tasks
                            ? "Some tasks take much longer than the median"
                            : fmt::format("{} sometimes takes much longer than the median", event.name),
                        fmt::format("{:.0f} of {} are outliers, {:.0f} s above the median in total; "
                                    "the median is {} s, p99 is {} s",
                                    all.count, event.count, all.excess_seconds,
                                    grouped_text(event.seconds_p50), grouped_text(event.seconds_p99)),
                        false, energy_of(event, Seconds{all.excess_seconds}), Seconds{all.excess_seconds}});
  }
}

void add_outlier_hosts(const FleetSummary& summary, std::vector<Finding>& findings) {
  const EventSummary* task = event_named(summary, summary.outermost);
  if (task == nullptr) return;
  Seconds time;
  std::vector<std::pair<double, std::string>> worst;
  for (const HostSummary& host : summary.host_list) {
    if (!host.z || *host.z < kOutlierZ) continue;
    std::size_t group = 0;
    for (const GpuSummary& gpu : summary.gpu_list) {
      if (gpu.host == host.name) group = gpu.population.value_or(0);
    }
    const double typical = summary.populations.groups.empty()
                               ? host.task_seconds.value
                               : summary.populations.groups[group].task_seconds;
    time += Seconds{std::max(0.0, host.task_seconds.value - typical) * static_cast<double>(host.tasks)};
    worst.emplace_back(*host.z, host.name);
  }
  if (worst.empty()) return;
  std::sort(worst.rbegin(), worst.rend());
  findings.push_back({"slow_hosts", "Some hosts are slower than similar hosts",
                      fmt::format("{}; the slowest is {} (robust z-score {:.1f})",
                                  counted(worst.size(), "host"), worst.front().second, worst.front().first),
                      false, energy_of(*task, time), time});
}

void add_changes(const FleetSummary& summary, std::vector<Finding>& findings) {
  const HostSummary* worst = nullptr;
  std::size_t count = 0;
  for (const HostSummary& host : summary.host_list) {
    if (!host.change || !(host.change->change() > 0)) continue;
    ++count;
    if (worst == nullptr || host.change->strength > worst->change->strength) worst = &host;
  }
  if (worst == nullptr) return;
  findings.push_back({"became_slower", "Some hosts became slower",
                      fmt::format("{}; strongest on {}: {:.2f} s per task until {}, then {:.2f} s",
                                  counted(count, "host"), worst->name, worst->change->before_seconds,
                                  to_text(worst->change->at), worst->change->after_seconds),
                      false, std::nullopt, std::nullopt});
}

}  // namespace

DurationOutliersByEvent duration_outliers(const Tally& tally) {
  constexpr std::uint64_t kMinEvents = 8;
  constexpr std::array kQuartiles{0.25, 0.5, 0.75};
  DurationOutliersByEvent all;
  for (const auto& [key, distribution] : tally.distributions) {
    const auto& durations = distribution.durations_ns;
    if (durations.count() < kMinEvents) continue;
    const auto quartiles = *durations.quantiles(kQuartiles);
    const double fence = quartiles[2] + 3 * (quartiles[2] - quartiles[0]);
    const auto above = durations.above(fence);
    all[key] = {above.count, (above.excess + above.count * (fence - quartiles[1])) / 1e9, fence / 1e9,
                quartiles[1] / 1e9};
  }
  return all;
}

std::vector<Finding> findings_of(const Tally& tally, const DurationOutliersByEvent& outliers,
                                 const FleetSummary& summary) {
  std::vector<Finding> findings;
  if (summary.energy.attributed > Joules{0}) {
    add_idle(summary, findings);
    add_waiting(summary, findings);
  }
  if (summary.paired > 0) {
    add_slow_population(summary, findings);
    add_late_events(outliers, summary, findings);
    add_outlier_hosts(summary, findings);
    add_changes(summary, findings);
  }
  // Excess times are of all events, energy only of those with samples.
  for (Finding& each : findings) {
    if (each.saving_energy) each.saving_energy = std::min(*each.saving_energy, summary.energy.total);
  }
  constexpr double kMinSaving = 1e-4;  // of the total energy
  std::erase_if(findings, [&](const Finding& each) {
    return each.saving_energy && *each.saving_energy <= kMinSaving * summary.energy.total;
  });
  std::stable_sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
    const auto worth = [](const Finding& each) {
      return std::pair(each.saving_energy.value_or(Joules{-1}), each.saving_time.value_or(Seconds{-1}));
    };
    return worth(a) > worth(b);
  });
  for (Finding& each : data_findings(tally, summary)) findings.push_back(std::move(each));
  return findings;
}

}  // namespace ergon::fleet
