#include "fleet/answers/findings.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "base/text.h"
#include "base/units_text.h"
#include "fleet/answers/data_findings.h"
#include "fleet/answers/hosts.h"

namespace ergon::fleet {
namespace {

// Below this utilisation a GPU waits.
constexpr double kWaitsPercent = 5;

const EventAnswer* event_named(const FleetAnswers& answers, const std::string& name) {
  for (const EventAnswer& event : answers.events) {
    if (event.name == name) return &event;
  }
  return nullptr;
}

// What so much time of an event costs, as far as samples tell of such events; nothing where they do not.
std::optional<Joules> energy_of(const EventAnswer& event, Seconds time) {
  const auto& watts = event.interval[static_cast<std::size_t>(Metric::power)];
  if (!watts || event.count == 0) return std::nullopt;
  const double told_of = 1 - static_cast<double>(event.uncovered) / static_cast<double>(event.count);
  return Watts{watts->value} * time * told_of;
}

double hours(Seconds time) { return time.si() / 3600; }

void add_idle(const FleetAnswers& answers, std::vector<Finding>& findings) {
  const EnergyAnswer& energy = answers.energy;
  const auto add = [&](std::string id, std::string title, const Spent& spent, std::string_view advice) {
    if (!(spent.energy > Joules{0})) return;
    findings.push_back(
        {std::move(id), std::move(title),
         fmt::format("{:.3g} of {:.4g} GPU-hours: {}", hours(spent.time), hours(energy.gpu_time), advice),
         false, spent.energy, spent.time});
  };
  add("idle_between", "GPUs draw power between tasks", energy.idle_between,
      "hand out the next task before the last one ends");
  Spent outside = energy.idle_before;
  outside += energy.idle_after;
  add("idle_outside", "GPUs draw power before their first and after their last task", outside,
      "start them later and let them go sooner");
}

void add_waiting(const FleetAnswers& answers, std::vector<Finding>& findings) {
  Joules energy;
  Seconds time;
  std::vector<std::string> names;
  for (const EventAnswer& event : answers.events) {
    const auto& used = event.interval[static_cast<std::size_t>(Metric::utilisation)];
    if (!used || used->value >= kWaitsPercent || event.name == answers.outermost) continue;
    energy += event.own_energy;
    time += event.own_time;
    names.push_back(event.name);
  }
  if (!(energy > Joules{0})) return;
  findings.push_back(
      {"waiting", "GPUs wait while others work",
       fmt::format("{} of {} go by with a GPU that does next to nothing: do them beside the next task",
                   to_text(energy), fmt::join(names, ", ")),
       false, energy, time});
}

void add_slow_population(const FleetAnswers& answers, std::vector<Finding>& findings) {
  const Populations& all = answers.populations;
  if (all.groups.size() != 2 || !(all.groups[1].task_seconds > all.groups[0].task_seconds)) return;
  // With the faster ones' energy and time for each of their tasks.
  Joules energy[2];
  double tasks[2] = {0, 0};
  for (const GpuAnswer& gpu : answers.gpu_list) {
    if (gpu.population < 0) continue;
    energy[gpu.population] += gpu.total.energy - gpu.idle.energy;
    tasks[gpu.population] += static_cast<double>(gpu.tasks);
  }
  const Seconds time{tasks[1] * (all.groups[1].task_seconds - all.groups[0].task_seconds)};
  std::optional<Joules> saved;
  if (answers.energy.total > Joules{0} && tasks[0] > 0)
    saved = std::max(Joules{0}, energy[1] - tasks[1] * energy[0] / tasks[0]);
  findings.push_back(
      {"slow_population", "Some GPUs are slower than the others",
       fmt::format(
           "{} GPUs take {:.2f} s for a task and {} take {:.2f} s, told apart by {} (separation {:.1f}): "
           "find what differs in their hardware, clocks or drivers",
           all.groups[1].gpus, all.groups[1].task_seconds, all.groups[0].gpus, all.groups[0].task_seconds,
           all.split_by, all.separation),
       false, saved, time});
}

// Tasks, and events inside of them, that take far longer than their like.
void add_late(const AllLateness& lateness, const FleetAnswers& answers, std::vector<Finding>& findings) {
  constexpr double kWorthASentence = 1e-3;  // of all time in tasks
  const EventAnswer* task = event_named(answers, answers.outermost);
  if (task == nullptr) return;
  for (const EventAnswer& event : answers.events) {
    Lateness all;
    for (const auto& [key, late] : lateness) {
      if (key.first != event.name) continue;
      all.count += late.count;
      all.excess_seconds += late.excess_seconds;
    }
    const bool whole_tasks = event.name == answers.outermost;
    const double tasks_seconds = task->seconds.value * static_cast<double>(task->count);
    if (!(all.count > 0) || (!whole_tasks && all.excess_seconds < kWorthASentence * tasks_seconds)) continue;
    findings.push_back(
        {whole_tasks ? "stragglers" : fmt::format("late_{}", event.name),
         whole_tasks ? "Some tasks take far longer than their like"
                     : fmt::format("{} sometimes takes far longer than usual", event.name),
         fmt::format("{:.0f} of {} are far out, {:.0f} s above the "
                     "median in all; it takes {:.4g} s at the 50th and {:.4g} s at the 99th percentile",
                     all.count, event.count, all.excess_seconds, event.seconds_p50, event.seconds_p99),
         false, energy_of(event, Seconds{all.excess_seconds}), Seconds{all.excess_seconds}});
  }
}

void add_outlier_hosts(const FleetAnswers& answers, std::vector<Finding>& findings) {
  const EventAnswer* task = event_named(answers, answers.outermost);
  if (task == nullptr) return;
  Seconds time;
  std::vector<std::pair<double, std::string>> worst;
  for (const HostAnswer& host : answers.host_list) {
    if (!host.z || *host.z < kOutlier) continue;
    int group = 0;
    for (const GpuAnswer& gpu : answers.gpu_list) {
      if (gpu.host == host.name) group = std::max(gpu.population, 0);
    }
    const double usual = answers.populations.groups.empty()
                             ? host.task_seconds.value
                             : answers.populations.groups[static_cast<std::size_t>(group)].task_seconds;
    time += Seconds{std::max(0.0, host.task_seconds.value - usual) * static_cast<double>(host.tasks)};
    worst.emplace_back(*host.z, host.name);
  }
  if (worst.empty()) return;
  std::sort(worst.rbegin(), worst.rend());
  findings.push_back({"slow_hosts", "Hosts that are slow even among their like",
                      fmt::format("{}, {} first ({:.1f} robust deviations)", counted(worst.size(), "host"),
                                  worst.front().second, worst.front().first),
                      false, energy_of(*task, time), time});
}

void add_changes(const FleetAnswers& answers, std::vector<Finding>& findings) {
  const HostAnswer* worst = nullptr;
  std::size_t count = 0;
  for (const HostAnswer& host : answers.host_list) {
    if (!host.change || !(host.change->change() > 0)) continue;
    ++count;
    if (worst == nullptr || host.change->strength > worst->change->strength) worst = &host;
  }
  if (worst == nullptr) return;
  findings.push_back({"became_slower", "Hosts that became slower",
                      fmt::format("{}, {} most clearly: {:.2f} s a task until {}, {:.2f} s from then on",
                                  counted(count, "host"), worst->name, worst->change->before_seconds,
                                  to_text(worst->change->at), worst->change->after_seconds),
                      false, std::nullopt, std::nullopt});
}

}  // namespace

AllLateness lateness_of(const Tally& tally) {
  constexpr std::uint64_t kFewest = 8;
  constexpr std::array kQuarters{0.25, 0.5, 0.75};
  AllLateness all;
  for (const auto& [key, spread] : tally.spreads) {
    const auto& durations = spread.durations_ns;
    if (durations.count() < kFewest) continue;
    const auto quarters = *durations.quantiles(kQuarters);
    const double fence = quarters[2] + 3 * (quarters[2] - quarters[0]);
    const auto above = durations.above(fence);
    all[key] = {above.count, (above.excess + above.count * (fence - quarters[1])) / 1e9, fence / 1e9,
                quarters[1] / 1e9};
  }
  return all;
}

std::vector<Finding> findings_of(const Tally& tally, const AllLateness& lateness,
                                 const FleetAnswers& answers) {
  std::vector<Finding> findings;
  if (answers.energy.attributed > Joules{0}) {
    add_idle(answers, findings);
    add_waiting(answers, findings);
  }
  if (answers.paired > 0) {
    add_slow_population(answers, findings);
    add_late(lateness, answers, findings);
    add_outlier_hosts(answers, findings);
    add_changes(answers, findings);
  }
  // What would save next to nothing is nothing to mend.
  constexpr double kWorthwhile = 1e-4;
  std::erase_if(findings, [&](const Finding& each) {
    return each.saving_energy && *each.saving_energy <= kWorthwhile * answers.energy.total;
  });
  std::stable_sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
    const auto worth = [](const Finding& each) {
      return std::pair(each.saving_energy.value_or(Joules{-1}), each.saving_time.value_or(Seconds{-1}));
    };
    return worth(a) > worth(b);
  });
  for (Finding& each : data_findings(tally, answers)) findings.push_back(std::move(each));
  return findings;
}

}  // namespace ergon::fleet
