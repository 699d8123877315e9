#include "fleet/answers/populations.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <unordered_map>

#include "base/statistics/correlation.h"
#include "base/statistics/moments.h"
#include "base/statistics/two_groups.h"
#include "fleet/answers/event_answers.h"

namespace ergon::fleet {
namespace {

// What GPUs may be told apart by: a metric, or the last, the durations of their tasks.
constexpr std::size_t kTraits = kMetrics + 1;
// Groups that do their tasks in about the same time are no populations of interest, and of five traits of a
// few GPUs one looks like two groups now and then.
constexpr double kApart = 2, kStrongEvidence = 10;

std::optional<double> trait_of(const GpuAnswer& gpu, std::size_t trait) {
  return trait < kMetrics ? gpu.mean[trait] : gpu.task_seconds;
}

std::string trait_name(std::size_t trait) {
  return trait < kMetrics ? std::string(kMetricNames[trait]) : "task duration";
}

double separation_of(const statistics::Moments& a, const statistics::Moments& b) {
  const double width = std::hypot(a.standard_deviation().value_or(0), b.standard_deviation().value_or(0));
  return width > 0 ? std::numbers::sqrt2 * std::abs(*a.mean() - *b.mean()) / width : 0;
}

// How far apart the durations of tasks lie on both sides of a threshold.
double durations_apart(const std::vector<GpuAnswer>& gpus, std::size_t trait, double threshold) {
  statistics::Moments seconds[2];
  for (const GpuAnswer& gpu : gpus) {
    if (gpu.task_seconds) seconds[*trait_of(gpu, trait) < threshold ? 0 : 1].add(*gpu.task_seconds);
  }
  return seconds[0].count() > 1 && seconds[1].count() > 1 ? separation_of(seconds[0], seconds[1]) : 0;
}

Population one_population(std::vector<GpuAnswer>& gpus) {
  statistics::Moments seconds;
  for (GpuAnswer& gpu : gpus) {
    gpu.population = 0;
    if (gpu.task_seconds) seconds.add(*gpu.task_seconds);
  }
  return {gpus.size(), seconds.mean().value_or(0), 0};
}

// Pairs of a metric and the duration, where both are known, of one population or, for -1, all.
struct Pairs {
  std::vector<double> x, y;
};

Pairs pairs_of(const std::vector<GpuAnswer>& gpus, std::size_t metric, int population) {
  Pairs pairs;
  for (const GpuAnswer& gpu : gpus) {
    if (population >= 0 && gpu.population != population) continue;
    if (!gpu.mean[metric] || !gpu.task_seconds) continue;
    pairs.x.push_back(*gpu.mean[metric]);
    pairs.y.push_back(*gpu.task_seconds);
  }
  return pairs;
}

void append_centred(Pairs& all, Pairs more) {
  for (auto* side : {&more.x, &more.y}) {
    statistics::Moments moments;
    for (const double value : *side) moments.add(value);
    for (double& value : *side) value -= moments.mean().value_or(0);
  }
  all.x.insert(all.x.end(), more.x.begin(), more.x.end());
  all.y.insert(all.y.end(), more.y.begin(), more.y.end());
}

}  // namespace

std::vector<GpuAnswer> gpu_answers(const Tally& tally, const std::string& outermost,
                                   const std::vector<GpuMeans>& means) {
  std::unordered_map<std::string, const GpuMeans*> by_uuid, by_host;
  for (const GpuMeans& each : means) {
    if (!each.uuid.empty()) by_uuid[each.uuid] = &each;
    if (!each.host.empty()) by_host[each.host] = &each;
  }
  std::vector<GpuAnswer> answers;
  for (const auto& [name, host] : tally.hosts) {
    Cell tasks;
    for (const auto& [key, cell] : host.cells) {
      if (key.first == outermost) tasks.merge(cell);
    }
    std::vector<GpuTally> gpus = host.gpus;
    // Without samples, means from elsewhere still tell which GPUs there are.
    if (gpus.empty() && by_host.contains(name)) gpus.push_back({by_host[name]->uuid, {}, {}, {}});
    for (const GpuTally& gpu : gpus) {
      GpuAnswer answer{name, gpu.uuid,     gpu.serial,     gpu.sums.samples, {},
                       {},   tasks.events, gpu.sums.total, gpu.sums.idle()};
      for (std::size_t m = 0; m < kMetrics; ++m) {
        if (gpu.sums.count[m] > 0) answer.mean[m] = gpu.sums.sum[m] / static_cast<double>(gpu.sums.count[m]);
      }
      const auto known = by_uuid.find(gpu.uuid);
      if (known != by_uuid.end()) {
        answer.mean = known->second->mean;
      } else if (const auto at = by_host.find(name); at != by_host.end() && gpus.size() == 1) {
        answer.mean = at->second->mean;
      }
      if (tasks.events > 0)
        answer.task_seconds =
            static_cast<double>(tasks.duration_ns) / 1e9 / static_cast<double>(tasks.events);
      answers.push_back(std::move(answer));
    }
  }
  return answers;
}

Populations find_populations(std::vector<GpuAnswer>& gpus) {
  Populations best;
  std::optional<statistics::TwoGroups> split;
  std::size_t split_trait = 0;
  for (std::size_t trait = 0; trait < kTraits; ++trait) {
    std::vector<double> values;
    for (const GpuAnswer& gpu : gpus) {
      if (const auto value = trait_of(gpu, trait)) values.push_back(*value);
    }
    if (values.size() < gpus.size() || values.size() < 8) continue;
    const auto groups = statistics::split_in_two(values, statistics::Widths::equal);
    if (groups && groups->clear() && groups->bic_advantage > kStrongEvidence &&
        (!split || groups->separation > split->separation) &&
        durations_apart(gpus, trait, groups->threshold) >= kApart) {
      split = groups;
      split_trait = trait;
    }
  }
  if (!split) {
    best.groups = {one_population(gpus)};
    return best;
  }
  statistics::Moments seconds[2], traits[2];
  for (GpuAnswer& gpu : gpus) {
    gpu.population = *trait_of(gpu, split_trait) < split->threshold ? 0 : 1;
    if (gpu.task_seconds) seconds[gpu.population].add(*gpu.task_seconds);
    traits[gpu.population].add(*trait_of(gpu, split_trait));
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
    for (GpuAnswer& gpu : gpus) gpu.population = 1 - gpu.population;
  }
  return best;
}

PerMetric<CorrelationAnswer> correlations_of(const std::vector<GpuAnswer>& gpus, std::size_t populations) {
  PerMetric<CorrelationAnswer> answers;
  for (std::size_t m = 0; m < kMetrics; ++m) {
    CorrelationAnswer& answer = answers[m];
    const Pairs all = pairs_of(gpus, m, -1);
    answer.pooled = statistics::pearson(all.x, all.y);
    if (answer.pooled && all.x.size() > 3)
      answer.pooled_interval = statistics::fisher_interval(*answer.pooled, all.x.size(), 1);
    Pairs centred;
    for (std::size_t group = 0; group < populations; ++group) {
      Pairs own = pairs_of(gpus, m, static_cast<int>(group));
      answer.within.push_back(statistics::pearson(own.x, own.y));
      append_centred(centred, std::move(own));
    }
    answer.all_within = statistics::pearson(centred.x, centred.y);
  }
  return answers;
}

}  // namespace ergon::fleet
