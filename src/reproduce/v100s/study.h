#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "reproduce/environment.h"
#include "sweep/evaluation/evaluation.h"
#include "sweep/experiment.h"
#include "sweep/twin/execution.h"

namespace ergon::reproduce {

// Times of host and GPU in one execution, from the twin without random variation.
struct HostShare {
  std::string network;
  Seconds host;                  // of an execution; does not depend on the clock
  Seconds gpu_fast, gpu_slow;    // at the highest and the lowest clock
  Seconds warm_fast, warm_slow;  // one warm prediction only

  // Min host time for which the lowest clock takes at most 1.5 times the time of the highest.
  Seconds min_host() const;
};

// The experiment of Drechsler, Metz and Plump on the twin of the V100S, and the same networks in steady
// inference.
struct V100sStudy {
  sweep::ExecutionModel model;
  sweep::SweepEvaluation execution;  // 31 networks, 196 clocks, three repetitions, one image each
  sweep::SweepEvaluation steady;     // 31 networks, 20 clocks, batches of 32, warm
  std::vector<HostShare> shares;
};

// `folder`: for the runs of the execution scenario; absent: not stored. Errors: those of a sweep.
Result<V100sStudy> study_v100s(const std::optional<sweep::SweepFolder>& folder,
                               const Environment& environment);

}  // namespace ergon::reproduce
