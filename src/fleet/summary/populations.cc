#include "fleet/summary/populations.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <unordered_map>

#include "base/statistics/correlation.h"
#include "base/statistics/moments.h"
#include "base/statistics/two_groups.h"
#include "fleet/summary/event_summary.h"

namespace ergon::fleet {
namespace {

// Traits that may separate GPUs: the metrics, and last the task duration.
constexpr std::size_t kTraits = kMetrics + 1;
// Groups with similar task durations are not of interest. The BIC threshold is high because with five traits
// and few GPUs, one trait looks bimodal by chance.
constexpr double kMinSeparation = 2, kMinBicAdvantage = 10;

std::optional<double> trait_of(const GpuSummary& gpu, std::size_t trait) {
  return trait < kMetrics ? gpu.mean[trait] : gpu.task_seconds;
}

std::string trait_name(std::size_t trait) {
  return trait < kMetrics ? std::string(kMetricNames[trait]) : "task duration";
}

double separation_of(const statistics::Moments& a, const statistics::Moments& b) {
  const double width = std::hypot(a.standard_deviation().value_or(0), b.standard_deviation().value_or(0));
  return width > 0 ? std::numbers::sqrt2 * std::abs(*a.mean() - *b.mean()) / width : 0;
}

// Ashman's D of the task durations on the two sides of a threshold.
double duration_separation(const std::vector<GpuSummary>& gpus, std::size_t trait, double threshold) {
  statistics::Moments seconds[2];
  for (const GpuSummary& gpu : gpus) {
    if (gpu.task_seconds) seconds[*trait_of(gpu, trait) < threshold ? 0 : 1].add(*gpu.task_seconds);
  }
  return seconds[0].count() > 1 && seconds[1].count() > 1 ? separation_of(seconds[0], seconds[1]) : 0;
}

Population one_population(std::vector<GpuSummary>& gpus) {
  statistics::Moments seconds;
  for (GpuSummary& gpu : gpus) {
    gpu.population = 0;
    if (gpu.task_seconds) seconds.add(*gpu.task_seconds);
  }
  return {gpus.size(), seconds.mean().value_or(0), 0};
}

// Pairs of metric and task duration where both are known.
struct Pairs {
  std::vector<double> x, y;
};

// Of one population, or of all GPUs.
Pairs pairs_of(const std::vector<GpuSummary>& gpus, std::size_t metric,
               std::optional<std::size_t> population = {}) {
  Pairs pairs;
  for (const GpuSummary& gpu : gpus) {
    if (population && gpu.population != population) continue;
    if (!gpu.mean[metric] || !gpu.task_seconds) continue;
    pairs.x.push_back(*gpu.mean[metric]);
    pairs.y.push_back(*gpu.task_seconds);
  }
  return pairs;
}

void append_centered(Pairs& all, Pairs more) {
  for (auto* side : {&more.x, &more.y}) {
    statistics::Moments moments;
    for (const double value : *side) moments.add(value);
    for (double& value : *side) value -= moments.mean().value_or(0);
  }
  all.x.insert(all.x.end(), more.x.begin(), more.x.end());
  all.y.insert(all.y.end(), more.y.begin(), more.y.end());
}

}  // namespace

std::vector<GpuSummary> gpu_summaries(const Tally& tally, const std::string& outermost,
                                      const std::vector<GpuMeans>& means) {
  std::unordered_map<std::string, const GpuMeans*> by_uuid, by_host;
  for (const GpuMeans& each : means) {
    if (!each.uuid.empty()) by_uuid[each.uuid] = &each;
    if (!each.host.empty()) by_host[each.host] = &each;
  }
  std::vector<GpuSummary> summaries;
  for (const auto& [name, host] : tally.hosts) {
    EventTotals tasks;
    for (const auto& [key, totals] : host.event_totals) {
      if (key.first == outermost) tasks.merge(totals);
    }
    std::vector<GpuTally> gpus = host.gpus;
    // Without samples, the GPUs are those of the file of means.
    if (gpus.empty() && by_host.contains(name)) gpus.push_back({.uuid = by_host[name]->uuid});
    for (const GpuTally& gpu : gpus) {
      GpuSummary summary{.host = name,
                         .uuid = gpu.uuid,
                         .serial = gpu.serial,
                         .samples = gpu.sums.samples,
                         .tasks = tasks.events,
                         .total = gpu.sums.total,
                         .events = gpu.sums.events,
                         .idle = gpu.sums.idle(),
                         .unattributed = gpu.sums.unattributed};
      for (std::size_t m = 0; m < kMetrics; ++m) {
        if (gpu.sums.count[m] > 0) summary.mean[m] = gpu.sums.sum[m] / static_cast<double>(gpu.sums.count[m]);
      }
      const auto known = by_uuid.find(gpu.uuid);
      if (known != by_uuid.end()) {
        summary.mean = known->second->mean;
      } else if (const auto at = by_host.find(name); at != by_host.end() && gpus.size() == 1) {
        summary.mean = at->second->mean;
      }
      if (tasks.events > 0)
        summary.task_seconds = tasks.duration_ns / 1e9 / static_cast<double>(tasks.events);
      summaries.push_back(std::move(summary));
    }
  }
  return summaries;
}

Populations find_populations(std::vector<GpuSummary>& gpus) {
  Populations best;
  std::optional<statistics::TwoGroups> split;
  std::size_t split_trait = 0;
  for (std::size_t trait = 0; trait < kTraits; ++trait) {
    std::vector<double> values;
    for (const GpuSummary& gpu : gpus) {
      if (const auto value = trait_of(gpu, trait)) values.push_back(*value);
    }
    if (values.size() < gpus.size() || values.size() < 8) continue;
    const auto groups = statistics::split_in_two(values, statistics::GroupVariances::equal);
    if (groups && groups->clear() && groups->bic_advantage > kMinBicAdvantage &&
        (!split || groups->separation > split->separation) &&
        duration_separation(gpus, trait, groups->threshold) >= kMinSeparation) {
      split = groups;
      split_trait = trait;
    }
  }
  if (!split) {
    best.groups = {one_population(gpus)};
    return best;
  }
  statistics::Moments seconds[2], traits[2];
  for (GpuSummary& gpu : gpus) {
    const std::size_t group = *trait_of(gpu, split_trait) < split->threshold ? 0 : 1;
    gpu.population = group;
    if (gpu.task_seconds) seconds[group].add(*gpu.task_seconds);
    traits[group].add(*trait_of(gpu, split_trait));
  }
  best.split_by = trait_name(split_trait);
  best.split_separation = separation_of(traits[0], traits[1]);
  best.bic_advantage = split->bic_advantage;
  best.clear = true;
  if (seconds[0].count() > 1 && seconds[1].count() > 1)
    best.separation = separation_of(seconds[0], seconds[1]);
  for (int i : {0, 1})
    best.groups.push_back({traits[i].count(), seconds[i].mean().value_or(0), traits[i].mean().value_or(0)});
  if (best.groups[1].task_seconds < best.groups[0].task_seconds) {
    std::swap(best.groups[0], best.groups[1]);
    for (GpuSummary& gpu : gpus) gpu.population = 1 - *gpu.population;
  }
  return best;
}

PerMetric<TaskCorrelation> correlations_of(const std::vector<GpuSummary>& gpus, std::size_t populations) {
  PerMetric<TaskCorrelation> summaries;
  for (std::size_t m = 0; m < kMetrics; ++m) {
    TaskCorrelation& summary = summaries[m];
    const Pairs all = pairs_of(gpus, m);
    summary.pooled = statistics::pearson(all.x, all.y);
    if (summary.pooled && all.x.size() > 3)
      summary.pooled_interval = statistics::fisher_interval(*summary.pooled, all.x.size(), 1);
    Pairs centered;
    for (std::size_t group = 0; group < populations; ++group) {
      Pairs own = pairs_of(gpus, m, group);
      summary.within.push_back(statistics::pearson(own.x, own.y));
      append_centered(centered, std::move(own));
    }
    summary.all_within = statistics::pearson(centered.x, centered.y);
  }
  return summaries;
}

}  // namespace ergon::fleet
