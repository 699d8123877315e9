#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "load_name.h"
#include "owner.h"

namespace ergon::fake_nvml {

enum class Command : std::uint8_t {
  advance,  // the world's time, by `first` nanoseconds; of no GPU
  open_context,
  close_context,  // and ends what its owner runs
  run,            // `load`, `first` iterations, or without end where that is negative
  stop,
  lock_core,  // `first` to `second` MHz
  unlock_core,
  lock_memory,  // likewise
  unlock_memory,
  application_clocks,  // memory `first`, core `second` MHz
  reset_application_clocks,
  limit,        // `first` milliwatts
  persistence,  // `first`: 0 or 1
};

// Something that happened to a GPU and that cannot be computed from what happened before. All records of a
// world, in their order, are its state.
struct Record {
  std::int64_t moment_ns = 0;  // of the world's time
  Command command = Command::advance;
  std::size_t gpu = 0;
  Owner owner;  // of contexts and work; whoever asked, for the rest
  std::int64_t first = 0, second = 0;
  LoadName load;  // of Command::run
};

// One line, with its newline, and back. Errors: a line that is none of these.
std::string to_line(const Record& record);
Result<Record> parse_line(std::string_view line);

}  // namespace ergon::fake_nvml
