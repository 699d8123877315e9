#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"
#include "base/units.h"
#include "record.h"
#include "world.h"

// The commands of fake-gpu. Each prints what it is asked for on standard output.

namespace ergon::fake_nvml {

struct RunWish {
  std::size_t gpu = 0;
  LoadName load;
  std::optional<Seconds> time;
  std::optional<std::int64_t> iterations;
  bool json = false;
};
// Runs a network until its time or its iterations are over, or somebody interrupts, and prints what it took
// in truth. Where time is manual, it lets it pass.
Result<> run(World& world, const RunWish& wish);

// Holds a context open.
Result<> idle(World& world, std::size_t gpu, std::optional<Seconds> time);

Result<> print_status(World& world, bool json);

// The exit code.
int run_command_line(int argc, char** argv);

}  // namespace ergon::fake_nvml
