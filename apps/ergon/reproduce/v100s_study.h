#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "shell.h"
#include "sweep/evaluation/evaluation.h"
#include "sweep/twin/execution.h"

namespace ergon::app {

// How much of an execution is the GPU's, by the twin alone: nothing scatters.
struct HostShare {
  std::string network;
  Seconds host;                  // of an execution, whatever the clock
  Seconds gpu_fast, gpu_slow;    // at the highest clock and at the lowest
  Seconds warm_fast, warm_slow;  // one warm prediction and nothing else

  // Without so much time on the host, the slowest clock would take more than 1.5 times as long as the
  // fastest.
  Seconds least_host() const;
};

// The experiment of Drechsler, Metz and Plump on the twin of the V100S, and the same networks in steady
// inference.
struct V100sStudy {
  sweep::ExecutionModel model;
  sweep::Evaluation execution;  // 31 networks, 196 clocks, three times, one image each
  sweep::Evaluation steady;     // 31 networks, 20 clocks, batches of 32, warm
  std::vector<HostShare> shares;
};

// `folder`: where the runs of the execution are kept, or nothing. Errors: those of a sweep.
struct V100sOptions {
  std::string folder;
  bool resume = false;
};
Result<V100sStudy> study_v100s(const V100sOptions& options, Shell& shell);

}  // namespace ergon::app
