#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace ergon::device {

// Restores clocks and power limits immediately if this process is killed while it holds leases, instead of at
// the next start of Ergon (docs/leases.md).
//
// The guard is the same program, started as "ergon lease-guard PID" in its own session, so that signals to
// the process group and a closed terminal do not reach it. It blocks on a pipe whose write end only this
// process holds; the kernel closes it when this process ends for any reason. The guard then restores
// abandoned leases, if any, and exits. No process waits for the guard.

// Starts the guard on the first call. Call it before the first lease. Does nothing in programs whose main()
// does not start with lease_guard_main(). Errors: the guard could not be started.
Result<> start_lease_guard();

// To be called first in main() with the command-line arguments. If they are those of a guard, runs the guard
// and returns its exit code; otherwise returns an empty optional.
std::optional<int> lease_guard_main(const std::vector<std::string>& arguments);

}  // namespace ergon::device
