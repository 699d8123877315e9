#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/timestamp.h"

namespace ergon::device {

// The process that holds a lease.
struct LeaseHolder {
  std::int64_t pid = 0;
  std::string command;  // "ergon sweep"
  Timestamp since;      // rounded down to seconds

  friend bool operator==(const LeaseHolder&, const LeaseHolder&) = default;
};

// The running process that holds a lease. Absent if it has not yet written its journal entry.
struct HeldBy {
  std::optional<LeaseHolder> holder;
};

// This process, with the current time. The command is the program name and, if there is one, the subcommand.
// Other words of the command line are omitted because they may be secrets.
LeaseHolder this_process();

// "process 4711 (ergon sweep), since 2026-05-04T10:00:00Z"; "another process".
std::string to_text(const LeaseHolder& holder);
std::string to_text(const HeldBy& held);

}  // namespace ergon::device
