#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"
#include "base/units.h"
#include "record.h"
#include "simulation.h"

// The commands of fake-gpu. They print to standard output.

namespace ergon::fake_nvml {

struct RunOptions {
  std::size_t gpu = 0;
  LoadSpec load;
  std::optional<Seconds> time;
  std::optional<std::int64_t> iterations;
  bool json = false;
};
// Runs a network for the given time or iterations, or until interrupted, and prints the true energy. Advances
// manual time.
Result<> run(Simulation& simulation, const RunOptions& options);

// Keeps a context open.
Result<> idle(Simulation& simulation, std::size_t gpu, std::optional<Seconds> time);

Result<> print_status(Simulation& simulation, bool json);

// The exit code.
int run_command_line(int argc, char** argv);

}  // namespace ergon::fake_nvml
