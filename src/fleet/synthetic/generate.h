#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "fleet/synthetic/fleet_plan.h"

namespace ergon::fleet::synthetic {

// File names of the TeraScope study. The first two are ordered by time, at equal times by event name; the
// third has one row per task, in order of START.
inline constexpr const char* kCheckpointsFile = "application-checkpoints.csv";
inline constexpr const char* kSamplesFile = "gpu.csv";
inline constexpr const char* kTilesFile = "task-x-y.csv";

struct WrittenFile {
  std::string name;
  std::uint64_t rows = 0, bytes = 0;
};

struct GeneratedFleet {
  std::vector<WrittenFile> files;
  std::uint64_t tasks = 0;
  std::uint64_t slow_hosts = 0, doubled_hosts = 0, two_logger_hosts = 0, skewed_hosts = 0;
  std::uint64_t lost_checkpoints = 0, lost_samples = 0;
};

// minute_done is called after each simulated minute.
struct GenerateCallbacks {
  std::stop_token stop = {};
  std::function<void()> minute_done = [] {};
};
// Number of calls of minute_done.
std::uint64_t minutes_of(const FleetPlan& plan);

// Creates the folder and its files. The files appear together at the end. Memory is proportional to the
// number of GPUs, not to the duration. Errors: those of check() and prepare_folder(); Errc::cancelled on a
// stop request.
Result<GeneratedFleet> generate(const FleetPlan& plan, const std::filesystem::path& folder,
                                const GenerateCallbacks& callbacks);

}  // namespace ergon::fleet::synthetic
