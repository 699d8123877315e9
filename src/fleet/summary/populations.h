#pragma once

#include "fleet/summary/fleet_summary.h"

namespace ergon::fleet {

// Summaries of all GPUs, in order of host name.
std::vector<GpuSummary> gpu_summaries(const Tally& tally, const std::string& outermost,
                                      const std::vector<GpuMeans>& means);

// Splits GPUs into two groups by the metric that separates them best (one of the GPU metrics, or task
// duration): a mixture of two normal distributions of equal variance. There is one group unless task
// durations differ too. Sets GpuSummary::population.
Populations find_populations(std::vector<GpuSummary>& gpus);

// Correlations of GPU metrics with task duration.
PerMetric<TaskCorrelation> correlations_of(const std::vector<GpuSummary>& gpus, std::size_t populations);

}  // namespace ergon::fleet
