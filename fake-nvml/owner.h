#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"

namespace ergon::fake_nvml {

// A process of this machine, told from a later one of the same number by when it began.
struct Owner {
  std::int64_t pid = 0;
  std::int64_t began = 0;  // ticks after boot, as /proc counts them

  friend bool operator==(const Owner&, const Owner&) = default;
};

Owner this_process();
// False also for a process that has ended and that nobody has waited for yet.
bool lives(const Owner& owner);
// The first word of its command line, or what the kernel calls it. Errors: there is no such process.
Result<std::string> program_of(std::int64_t pid);

}  // namespace ergon::fake_nvml
