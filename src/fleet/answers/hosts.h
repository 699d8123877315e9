#pragma once

#include "fleet/answers/answers.h"

namespace ergon::fleet {

// A host whose mean task lies this many robust deviations from its population's median is an outlier.
inline constexpr double kOutlier = 3.5;

// How far a GPU's samples lie apart, times without any left out; 0 where nobody can tell.
Seconds typical_period(const GpuSums& gpu);

// Every host, in the order of their names: what it did, how far it lies from its like, and whether its
// samplers' clocks agree with its events'.
std::vector<HostAnswer> host_answers(const Tally& tally, const std::string& outermost,
                                     const std::vector<GpuAnswer>& gpus);

}  // namespace ergon::fleet
