#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "load_spec.h"
#include "owner.h"

namespace ergon::fake_nvml {

enum class Command : std::uint8_t {
  advance,  // advances the time by `first` nanoseconds; not specific to a GPU
  open_context,
  close_context,  // and stops the load of its owner
  run,            // `load` for `first` iterations; unlimited if negative
  stop,
  lock_core,  // `first` to `second` MHz
  unlock_core,
  lock_memory,  // `first` to `second` MHz
  unlock_memory,
  application_clocks,  // memory `first`, core `second` MHz
  reset_application_clocks,
  limit,        // `first` milliwatts
  persistence,  // `first`: 0 or 1
};

// An external input of the simulation. The sequence of all records determines the state.
struct Record {
  std::int64_t time_ns = 0;  // simulation time
  Command command = Command::advance;
  std::size_t gpu = 0;
  Owner owner;  // the process that made the call
  std::int64_t first = 0, second = 0;
  LoadSpec load;  // for Command::run
};

// Serializes to one line with its newline, and parses it. Errors: an invalid line.
std::string to_line(const Record& record);
Result<Record> parse_line(std::string_view line);

}  // namespace ergon::fake_nvml
