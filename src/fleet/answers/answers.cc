#include "fleet/answers/answers.h"

#include "base/statistics/quantile.h"
#include "fleet/answers/event_answers.h"
#include "fleet/answers/findings.h"
#include "fleet/answers/hosts.h"
#include "fleet/answers/populations.h"
#include "fleet/answers/unpaired.h"

namespace ergon::fleet {
namespace {

EnergyAnswer energy_of(const Tally& tally) {
  EnergyAnswer energy;
  for (const auto& [name, host] : tally.hosts) {
    for (const GpuTally& gpu : host.gpus) {
      energy.total += gpu.sums.total.energy;
      energy.gpu_time += gpu.sums.total.time;
      energy.attributed += gpu.sums.events.energy;
      energy.idle_before += gpu.sums.idle_before;
      energy.idle_between += gpu.sums.idle_between;
      energy.idle_after += gpu.sums.idle_after;
    }
    for (const auto& [key, cell] : host.cells) energy.own_energy += cell.own_energy;
  }
  Spent idle = energy.idle_before;
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
      const Seconds period = typical_period(gpu.sums);
      if (period > Seconds{0}) periods.push_back(period.si());
    }
  }
  return Seconds{statistics::median(periods).value_or(0)};
}

std::vector<Straggler> stragglers_of(const Tally& tally, const AllLateness& lateness,
                                     const std::string& outermost) {
  std::vector<Straggler> stragglers;
  for (const LongTally& event : tally.longest) {
    const auto late = lateness.find({event.event, event.level});
    if (event.event != outermost || late == lateness.end()) continue;
    const double seconds = static_cast<double>(event.duration_ns) / 1e9;
    if (late->second.median_seconds > 0 && seconds > late->second.fence_seconds)
      stragglers.push_back({event, seconds / late->second.median_seconds});
  }
  return stragglers;
}

}  // namespace

FleetAnswers answers_of(const Tally& tally, const std::vector<GpuMeans>& means) {
  FleetAnswers answers;
  answers.rules = tally.rules;
  answers.checkpoints = tally.checkpoints;
  answers.samples = tally.samples;
  answers.tasks = tally.tasks.size();
  answers.hosts = tally.hosts.size();
  answers.jobs = tally.jobs.size();
  for (const auto& [name, host] : tally.hosts) {
    answers.duplicates += host.duplicates;
    answers.gpus += host.gpus.size();
    for (const GpuTally& gpu : host.gpus) answers.duplicate_samples += gpu.sums.duplicates;
    for (const auto& [key, cell] : host.cells) answers.paired += cell.events;
  }
  answers.unpaired = unpaired_of(tally);
  answers.outermost = outermost_event(tally);
  answers.events = event_answers(tally);
  answers.levels = level_answers(tally, answers.outermost);
  answers.gpu_list = gpu_answers(tally, answers.outermost, means);
  answers.populations = find_populations(answers.gpu_list);
  answers.correlations = correlations_of(answers.gpu_list, answers.populations.groups.size());
  answers.host_list = host_answers(tally, answers.outermost, answers.gpu_list);
  answers.energy = energy_of(tally);
  const AllLateness lateness = lateness_of(tally);
  answers.stragglers = stragglers_of(tally, lateness, answers.outermost);
  answers.sample_period = median_period(tally);
  answers.findings = findings_of(tally, lateness, answers);
  answers.heat_map = heat_map_of(tally);
  return answers;
}

}  // namespace ergon::fleet
