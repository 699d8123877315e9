#pragma once

#include "fleet/answers/answers.h"

namespace ergon::fleet {

// Every GPU, hosts in the order of their names.
std::vector<GpuAnswer> gpu_answers(const Tally& tally, const std::string& outermost,
                                   const std::vector<GpuMeans>& means);

// Tells GPUs apart by whatever separates them best, a metric or the duration of their tasks, as a mixture of
// two normals of equal width, if their tasks take different times; marks each with its group.
Populations find_populations(std::vector<GpuAnswer>& gpus);

// Of GPUs' means with the durations of their tasks.
PerMetric<CorrelationAnswer> correlations_of(const std::vector<GpuAnswer>& gpus, std::size_t populations);

}  // namespace ergon::fleet
