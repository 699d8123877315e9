#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/statistics/interval.h"
#include "fleet/answers/heat_map.h"
#include "fleet/tally.h"

namespace ergon::fleet {

// A mean, and where it lies with 95 % confidence.
struct MeanAnswer {
  double value = 0, low = 0, high = 0;
};

// All events of a name, or the outermost ones of a level.
struct EventAnswer {
  std::string name;
  std::uint64_t count = 0;
  MeanAnswer seconds;
  double seconds_p50 = 0, seconds_p95 = 0, seconds_p99 = 0, seconds_least = 0, seconds_most = 0;
  // Of the samples next to STARTs and STOPs, as the study joined them.
  PerMetric<std::optional<double>> nearest;
  std::optional<double> nearest_unused;  // share of them that show no utilisation
  // Of the time from START to STOP.
  PerMetric<std::optional<MeanAnswer>> interval;
  std::optional<double> watts_p50, watts_p95, joules_p50, joules_p95;
  Joules energy;                      // all events together; those inside of others are in both
  std::optional<Joules> energy_each;  // of the events that samples tell of from START to STOP
  Joules energy_sigma;                // what may have happened between samples, one standard deviation
  Joules own_energy;  // while no event inside was under way: these add up to all that events took
  Seconds own_time;
  std::uint64_t between_samples = 0, uncovered = 0, part_covered = 0;
};

struct GpuAnswer {
  std::string host, uuid, serial;
  std::uint64_t samples = 0;
  PerMetric<std::optional<double>> mean;  // of its samples
  std::optional<double> task_seconds;     // mean duration of its host's outermost events
  std::uint64_t tasks = 0;
  Spent total, idle;
  int population = -1;  // of FleetAnswers::populations
};

struct HostAnswer {
  std::string name;
  std::uint64_t tasks = 0, events = 0, duplicates = 0, gpus = 0;
  MeanAnswer task_seconds;
  PerMetric<std::optional<double>> mean;  // over the intervals of its tasks
  Joules energy, idle_energy;
  Seconds idle_time, gpu_time;
  std::optional<double> z;  // robust, of its mean task among its population
  std::optional<ChangePoint> change;
  std::optional<Seconds> skew;  // how far its samplers run ahead of its events
  bool skew_unclear = false;    // they disagree, and nobody can tell how far
};

// GPUs that belong together.
struct Population {
  std::uint64_t gpus = 0;
  double task_seconds = 0;
  double split_mean = 0;  // of what they were told apart by
};

struct Populations {
  std::string split_by;         // "memory", "task duration", ...: what tells them apart best
  double separation = 0;        // Ashman's D of the durations of their tasks; above 2 is a clear split
  double split_separation = 0;  // the same of what they were told apart by
  double bic_advantage = 0;     // of two groups over one
  bool clear = false;
  std::vector<Population> groups;  // faster first; one where there are no two
};

struct CorrelationAnswer {
  std::optional<double> pooled;
  std::optional<statistics::Interval> pooled_interval;
  std::vector<std::optional<double>> within;  // each population
  std::optional<double> all_within;           // with the populations' means taken off
};

struct EnergyAnswer {
  Joules total, attributed, idle_energy;
  Seconds gpu_time, idle_time;
  Spent idle_before, idle_between, idle_after;
  Joules own_energy;  // of all events, added up: equals what is attributed
};

// Rows that were not used, or used with a remark.
struct Unpaired {
  std::uint64_t start_missing = 0, stop_missing = 0, still_running = 0, cross_hosts = 0;

  std::uint64_t rows() const { return start_missing + stop_missing + still_running + 2 * cross_hosts; }
};

struct Finding {
  std::string id, title, detail;
  bool about_data = false;              // else about the fleet
  std::optional<Joules> saving_energy;  // at most, if it were mended
  std::optional<Seconds> saving_time;
};

struct Straggler {
  LongTally event;
  double times_median = 0;
};

struct FleetAnswers {
  Rules rules;
  RowCounts checkpoints, samples;
  std::uint64_t duplicates = 0, duplicate_samples = 0, paired = 0, tasks = 0, hosts = 0, gpus = 0, jobs = 0;
  Unpaired unpaired;
  std::string outermost;            // the event in which most time is spent
  std::vector<EventAnswer> events;  // those that take longest last
  std::vector<EventAnswer> levels;  // outermost events, by level
  std::vector<GpuAnswer> gpu_list;
  std::vector<HostAnswer> host_list;
  Populations populations;
  PerMetric<CorrelationAnswer> correlations;
  EnergyAnswer energy;
  std::vector<Straggler> stragglers;
  Seconds sample_period;          // in the median of GPUs
  std::vector<Finding> findings;  // by saving, then those about the data
  HeatMap heat_map;
};

// Means of GPUs from elsewhere, to be used instead of those of samples.
struct GpuMeans {
  std::string host, uuid;
  PerMetric<std::optional<double>> mean;
};

FleetAnswers answers_of(const Tally& tally, const std::vector<GpuMeans>& means = {});

}  // namespace ergon::fleet
