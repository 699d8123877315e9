#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "fleet/synthetic/plan.h"

namespace ergon::fleet::synthetic {

// The study's files. Rows of the first two are in the order of time, at equal times by the event's name; the
// third has a row per task, in the order in which they begin.
inline constexpr const char* kCheckpointsFile = "application-checkpoints.csv";
inline constexpr const char* kSamplesFile = "gpu.csv";
inline constexpr const char* kTilesFile = "task-x-y.csv";

struct WrittenFile {
  std::string name;
  std::uint64_t rows = 0, bytes = 0;
};

struct Generated {
  std::vector<WrittenFile> files;
  std::uint64_t tasks = 0;
  std::uint64_t slow_hosts = 0, doubled_hosts = 0, two_logger_hosts = 0, skewed_hosts = 0;
  std::uint64_t lost_checkpoints = 0, lost_samples = 0;
};

// Someone who waits: may ask to stop, and is told of every minute of the fleet's time that is done.
struct Onlooker {
  std::stop_token stop = {};
  std::function<void()> minute_done = [] {};
};
// How often minute_done is called.
std::uint64_t minutes_of(const Plan& plan);

// Makes the folder if need be, and the files in it, all or none unless the disk fails at the very end. Memory
// follows the number of GPUs, not the time. Errors: what check() says; a folder that cannot be made; files of
// these names that are not from here; somebody asked to stop.
Result<Generated> generate(const Plan& plan, const std::filesystem::path& folder, const Onlooker& onlooker);

}  // namespace ergon::fleet::synthetic
