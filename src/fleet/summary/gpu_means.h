#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "fleet/summary/fleet_summary.h"

namespace ergon::fleet {

// Reads means of GPUs: per-gpu-truth.csv of the TeraScope study, or gpus.csv of `ergon fleet analyze --out`.
// Errors: a file that cannot be read; a missing column; a column that is not numeric.
Result<std::vector<GpuMeans>> read_gpu_means(const std::string& file);

}  // namespace ergon::fleet
