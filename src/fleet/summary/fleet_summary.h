#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/statistics/interval.h"
#include "fleet/summary/heat_map.h"
#include "fleet/summary/repeated_boards.h"
#include "fleet/tally.h"

namespace ergon::fleet {

// A mean with its 95 % interval.
struct MeanInterval {
  double value = 0, low = 0, high = 0;
};

// Summary of all events of one name, or of the outermost events of one level.
struct EventSummary {
  std::string name;
  std::uint64_t count = 0;
  MeanInterval seconds;
  double seconds_p50 = 0, seconds_p95 = 0, seconds_p99 = 0, seconds_min = 0, seconds_max = 0;
  // Means over the samples nearest to STARTs and STOPs, the join of the TeraScope study.
  PerMetric<std::optional<double>> nearest;
  std::optional<double> nearest_idle;  // share of those samples with utilization 0
  // Means over the time from START to STOP.
  PerMetric<std::optional<MeanInterval>> interval;
  std::optional<double> watts_p50, watts_p95, joules_p50, joules_p95;
  Joules energy;                      // sum over all events; energy of nested events counts in both
  std::optional<Joules> energy_each;  // mean per event that samples cover from START to STOP, if divisible
  Joules energy_sigma;                // standard deviation of `energy` from the unknown power between samples
  Joules exclusive_energy;  // without nested events; the sum over all event names is the attributed energy
  Seconds exclusive_time;
  std::uint64_t between_samples = 0, uncovered = 0, part_covered = 0;
  std::uint64_t indivisible = 0;  // see EventTelemetry
};

struct GpuSummary {
  std::string host, uuid, serial;
  std::uint64_t samples = 0;
  PerMetric<std::optional<double>> mean;  // over its samples
  std::optional<double> task_seconds;     // mean duration of its host's outermost events
  std::uint64_t tasks = 0;
  EnergyTime total, events, idle, unattributed;
  std::optional<std::size_t> population;  // index into FleetSummary::populations.groups
};

struct HostSummary {
  std::string name;
  std::uint64_t tasks = 0, events = 0, duplicates = 0, gpus = 0;
  MeanInterval task_seconds;
  PerMetric<std::optional<double>> mean;                               // over its tasks, from START to STOP
  Joules energy, attributed_energy, idle_energy, unattributed_energy;  // energy is the sum of the others
  Seconds idle_time, unattributed_time, gpu_time;
  std::optional<double> z;  // robust z-score of its mean task duration in its population
  std::optional<ChangePoint> change;
  std::optional<Seconds> skew;  // offset of the clock of its GPU samples relative to its events
  bool skew_unclear = false;    // the clocks disagree by an unknown offset
};

// A group of similar GPUs.
struct Population {
  std::uint64_t gpus = 0;
  double task_seconds = 0;
  double split_mean = 0;  // mean of Populations::split_by in this group
};

struct Populations {
  std::string split_by;         // metric that separates the groups best: "memory", "task duration", ...
  double separation = 0;        // Ashman's D of the task durations; above 2: clearly separated
  double split_separation = 0;  // Ashman's D of `split_by`
  double bic_advantage = 0;     // BIC of one group minus that of two groups
  bool clear = false;
  std::vector<Population> groups;  // faster group first; a single group if there are not two
};

// Pearson correlation of a GPU metric with task duration.
struct TaskCorrelation {
  std::optional<double> pooled;
  std::optional<statistics::Interval> pooled_interval;
  std::vector<std::optional<double>> within;  // of each population
  std::optional<double> all_within;           // over all GPUs, population means subtracted
};

// total = attributed + idle_energy + unattributed.energy; the same for each host and each GPU.
struct EnergySummary {
  Joules total, attributed, idle_energy;
  Seconds gpu_time, idle_time;
  EnergyTime idle_before, idle_between, idle_after;  // outside events and measured idle
  EnergyTime unattributed;                           // outside events and not measured idle
  Joules exclusive_energy;                           // sum over all events; equals `attributed`
  Joules indivisible;  // part of `attributed`: several tasks at once on a host with several GPUs
};

// Checkpoints without a partner, by reason.
struct UnpairedCounts {
  std::uint64_t start_missing = 0, stop_missing = 0, still_running = 0, cross_hosts = 0;

  std::uint64_t rows() const { return start_missing + stop_missing + still_running + 2 * cross_hosts; }
};

// A recommendation about the fleet, or a data quality problem.
struct Finding {
  std::string id, title, detail;
  bool about_data = false;              // data quality; otherwise a recommendation
  std::optional<Joules> saving_energy;  // upper bound
  std::optional<Seconds> saving_time;
};

struct Straggler {
  LongEventRecord event;
  double times_median = 0;
};

// One of the longest tasks: an event of the outermost name.
struct LongTask {
  LongEventRecord event;
  std::optional<double> times_median;  // of the durations of its level
  bool straggler = false;              // its duration is an outlier
};

struct FleetSummary {
  AnalysisRules rules;
  bool simulated = false;  // of the tally, or means of simulated GPUs were used
  RowCounts checkpoints, samples;
  std::uint64_t duplicates = 0, duplicate_samples = 0, paired = 0, tasks = 0, hosts = 0, gpus = 0, jobs = 0;
  UnpairedCounts unpaired;
  std::string outermost;             // the event name with the largest total duration
  std::vector<EventSummary> events;  // by ascending mean duration
  std::vector<EventSummary> levels;  // outermost events, by level
  std::vector<GpuSummary> gpu_list;
  std::vector<HostSummary> host_list;
  Populations populations;
  PerMetric<TaskCorrelation> correlations;
  EnergySummary energy;
  std::vector<Straggler> stragglers;
  std::vector<LongTask> longest_tasks;         // at most kMaxLongEvents, the longest first
  std::vector<RepeatedBoard> repeated_boards;  // `gpus` counts each of them once
  Seconds sample_period;                       // median over GPUs
  std::vector<Finding> findings;               // recommendations by descending saving, then data quality
  HeatMap heat_map;
  FleetOverTime over_time;
};

// Means of a GPU from another file, used instead of the means of its samples.
struct GpuMeans {
  std::string host, uuid;
  PerMetric<std::optional<double>> mean;
  bool simulated = false;
};

FleetSummary summarize(const Tally& tally, const std::vector<GpuMeans>& means = {});

}  // namespace ergon::fleet
