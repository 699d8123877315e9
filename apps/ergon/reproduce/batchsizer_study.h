#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "control/oracle.h"
#include "control/run.h"
#include "control/summary.h"
#include "reproduce/batchsizer_jobs.h"
#include "reproduce/batchsizer_plant.h"

namespace ergon::app {

// One controller on one job.
struct JobRun {
  std::string controller;
  control::Summary summary;
  std::size_t over = 0;          // decisions whose highest reading was above the cap
  std::size_t longest_over = 0;  // of them one after another
  // Decisions before the first whose reading lay between 0.8 of the cap and the cap; nothing: none did.
  std::optional<std::size_t> until_in_band;
  std::size_t late_changes = 0;  // in the second half of the decisions
};

// A batch of the paper's set at the highest clock, in the long run.
struct Rung {
  std::int64_t batch = 1;
  FedState state;
  double throughput = 0;  // images in a second
};

struct JobResult {
  BatchJob job;
  JobRun batchsizer, dvfs, plus;
  JobRun joint;                 // begun with a model that is off by kTimeOff and kPowerOff
  JobRun joint_untold;          // begun with nothing known but idle power and limit
  control::Verdict best;        // of all batches and the ten clocks
  control::Verdict best_rung;   // of the paper's set of batches, at the highest clock
  control::Verdict best_batch;  // of all batches, at the highest clock
  control::Verdict best_clock;  // of the ten clocks, at batch 16
  std::vector<Rung> rungs;

  // Throughput of BatchSizer over that of DVFS, less 1.
  double gain() const { return batchsizer.summary.throughput / dvfs.summary.throughput - 1; }
  // Of a run, against the best possible.
  double share(const JobRun& run) const { return run.summary.throughput / best.best.throughput; }
  // Whether a run leaves more than kNearBest to be had.
  bool off_best(const JobRun& run) const;
  bool joint_beats(const JobRun& other) const { return joint.summary.throughput > other.summary.throughput; }
  bool joint_beats_both() const { return joint_beats(batchsizer) && joint_beats(dvfs); }
  // Whether a batch of the paper's set draws between 0.8 of the cap and the cap.
  bool in_band() const;
  // Whether the largest batch of the set draws less than 0.8 of the cap.
  bool relaxed() const;
};

// A line of Figure 1, and the phases of Figure 2.
struct BatchCurve {
  std::string network;  // the zoo's
  const InputPipeline* input = nullptr;
  std::vector<Rung> points;  // 1, 2, 4, ... 1024
};

// How BatchSizer's search ends on any power that rises along its nine batches, by which of them lie in the
// band: the most changes it takes where one does, and whether it stops where none does.
struct SearchCount {
  std::size_t with_band = 0, most_changes = 0;
  std::size_t without_band = 0, restless = 0;
};

struct BatchSizerStudy {
  std::vector<JobResult> jobs;
  // The same with the least and the most that the meter may lag.
  std::vector<JobResult> jobs_at_least_lag, jobs_at_most_lag;
  std::vector<BatchCurve> curves;
  SearchCount search;
};

inline constexpr std::uint64_t kBatchSizerSeed = 1;
// How far the model that `joint` begins with is off, as deviations of logarithms: as far as the three numbers
// of the input and the meter's lag miss the table that they were fitted to (batchsizer_jobs.h).
inline constexpr double kTimeOff = 0.1, kPowerOff = 0.14;
// Closer to the best possible than this is as good as it.
inline constexpr double kNearBest = 0.02;

SearchCount count_searches(std::size_t rungs);

// One job: five runs and the oracles. Errors: a network that cannot be run; interrupted.
Result<JobResult> study_job(const BatchJob& job, PlacedNetwork& network, Seconds meter_lag,
                            std::uint64_t seed, const std::stop_token& stop);
Result<BatchSizerStudy> study_batchsizer(const std::stop_token& stop, std::uint64_t seed = kBatchSizerSeed);

}  // namespace ergon::app
