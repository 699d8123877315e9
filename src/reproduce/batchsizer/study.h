#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "control/run.h"
#include "control/summary.h"
#include "control/surfaces/oracle.h"
#include "reproduce/batchsizer/jobs.h"
#include "reproduce/batchsizer/plant.h"

namespace ergon::reproduce {

// Run of one controller on one job.
struct JobRun {
  std::string controller;
  control::Summary summary;
  std::size_t over = 0;          // decisions with a max reading above the cap
  std::size_t longest_over = 0;  // max number of consecutive such decisions
  // Decisions before the first one with a reading between 0.8 of the cap and the cap; absent: there is none.
  std::optional<std::size_t> decisions_to_band;
  std::size_t late_changes = 0;  // changes of the operating point in the second half of the decisions
};

// Steady state of one of the paper's batch sizes at the highest clock.
struct BatchPoint {
  std::int64_t batch = 1;
  InputBoundState state;
  double throughput = 0;  // images/s
};

struct JobResult {
  BatchJob job;
  JobRun batchsizer, dvfs, plus;
  JobRun joint;                          // starts with a prior model with errors kTimeError and kPowerError
  JobRun joint_without_prior;            // starts without a prior model, with idle power and power limit only
  control::OracleResult best;            // of all batches and the ten clocks
  control::OracleResult best_batch_set;  // of the paper's set of batches, at the highest clock
  control::OracleResult best_batch;      // of all batches, at the highest clock
  control::OracleResult best_clock;      // of the ten clocks, at batch 16
  std::vector<BatchPoint> batch_points;

  // Throughput of BatchSizer over that of DVFS, minus 1.
  double gain() const { return batchsizer.summary.throughput / dvfs.summary.throughput - 1; }
  // Throughput of a run as a share of the oracle's.
  double share(const JobRun& run) const { return run.summary.throughput / best.best.throughput; }
  // The run is more than kNearBest below the oracle.
  bool below_best(const JobRun& run) const;
  bool joint_beats(const JobRun& other) const { return joint.summary.throughput > other.summary.throughput; }
  bool joint_beats_both() const { return joint_beats(batchsizer) && joint_beats(dvfs); }
  // A batch of the paper's set draws between 0.8 of the cap and the cap.
  bool in_band() const;
  // The largest batch of the set draws less than 0.8 of the cap.
  bool relaxed() const;
};

// A curve of Figure 1, and the phases of Figure 2.
struct BatchCurve {
  std::string network;  // name in the zoo
  const InputPipeline* input = nullptr;
  std::vector<BatchPoint> points;  // 1, 2, 4, ... 1024
};

// BatchSizer's search on all cases of power that increases with the batch size, by which batches are in the
// band between 0.8 of the cap and the cap: max changes if a batch is in the band, and the number of cases in
// which the search never settles if no batch is.
struct SearchCount {
  std::size_t with_band = 0, max_changes = 0;
  std::size_t without_band = 0, never_settles = 0;
};

struct BatchSizerStudy {
  std::vector<JobResult> jobs;
  // The same jobs at kMinMeterLag and kMaxMeterLag.
  std::vector<JobResult> jobs_at_min_lag, jobs_at_max_lag;
  std::vector<BatchCurve> curves;
  SearchCount search;
};

inline constexpr std::uint64_t kBatchSizerSeed = 1;
// Errors of the prior model of `joint`, as standard deviations of the logarithm: the residuals of the input
// times and of the meter lag on the table that they were fitted to (batchsizer_jobs.h).
inline constexpr double kTimeError = 0.1, kPowerError = 0.14;
// Runs closer to the oracle than this share count as equal to it.
inline constexpr double kNearBest = 0.02;

SearchCount count_searches(std::size_t batches);

// Five runs and the oracles of one job. Errors: a network that cannot be run; interrupted.
Result<JobResult> study_job(const BatchJob& job, TwinNetwork& network, Seconds meter_lag, std::uint64_t seed,
                            const std::stop_token& stop);
Result<BatchSizerStudy> study_batchsizer(const std::stop_token& stop, std::uint64_t seed = kBatchSizerSeed);

}  // namespace ergon::reproduce
