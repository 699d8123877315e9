#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"

namespace ergon::fake_nvml {

// A process of this machine. The start time distinguishes it from a later process with the same pid.
struct Owner {
  std::int64_t pid = 0;
  std::int64_t began = 0;  // start time in clock ticks since boot (/proc/PID/stat)

  friend bool operator==(const Owner&, const Owner&) = default;
};

Owner this_process();
// False for zombies, too.
bool is_alive(const Owner& owner);
// First word of the command line, or the kernel's name of the process. Errors: no such process.
Result<std::string> program_of(std::int64_t pid);

}  // namespace ergon::fake_nvml
