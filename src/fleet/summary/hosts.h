#pragma once

#include "fleet/summary/fleet_summary.h"

namespace ergon::fleet {

// A host whose mean task duration has at least this robust z-score in its population is an outlier.
inline constexpr double kOutlierZ = 3.5;

// Mean time between samples of a GPU, without gaps; 0 if unknown.
Seconds sample_period_of(const GpuSums& gpu);

// Summaries of all hosts in order of name, with robust z-score and clock skew.
std::vector<HostSummary> host_summaries(const Tally& tally, const std::string& outermost,
                                        const std::vector<GpuSummary>& gpus);

}  // namespace ergon::fleet
