#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "base/clock.h"
#include "base/units.h"

namespace ergon::service {

// Memory of all processes of a process group: private and shared memory, in RAM or swapped. Mapped files do
// not count, because the kernel can drop them.
class GroupMemory {
 public:
  // `proc` is /proc.
  explicit GroupMemory(int group, std::filesystem::path proc = "/proc");

  // Counts pages that several processes share once per process: an upper bound, cheap to read. Processes that
  // joined the group in the last second may be missing.
  Bytes upper_bound(Instant now);
  // Divides shared pages among their processes. Takes about 10 ms per GiB.
  Bytes proportional() const;

 private:
  int group_;
  std::filesystem::path proc_;
  std::vector<int> members_;
  std::optional<Instant> searched_;
};

}  // namespace ergon::service
