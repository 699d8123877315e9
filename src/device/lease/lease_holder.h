#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/timestamp.h"

namespace ergon::device {

// Who has a lease.
struct LeaseHolder {
  std::int64_t pid = 0;
  std::string command;  // "ergon sweep"
  Timestamp since;      // whole seconds

  friend bool operator==(const LeaseHolder&, const LeaseHolder&) = default;
};

// Somebody who lives and has the lease. Nothing is known of a holder that has only just begun.
struct HeldBy {
  std::optional<LeaseHolder> holder;
};

// This process, from now on. The command is the program and, where it looks like one, its subcommand; other
// words of the command line may be secrets.
LeaseHolder this_process();

// "process 4711 (ergon sweep), since 2026-05-04T10:00:00Z"; "another process".
std::string to_text(const LeaseHolder& holder);
std::string to_text(const HeldBy& held);

}  // namespace ergon::device
