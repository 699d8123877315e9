#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace ergon::app {

// Takes back what leases of this process leave changed if it is killed, at once instead of at the next start
// of Ergon (docs/leases.md).
//
// The guard is this same program, started as "ergon lease-guard PID", in a session of its own: what kills the
// process group or closes the terminal does not reach it. It waits at the end of a pipe that nobody else has;
// that ends when this process does, in whatever way. Then it restores what is abandoned, if anything is, and
// goes. Nobody waits for it.

// Starts it, the first time that it is called. To be called before the first lease. Does nothing in programs
// whose main() does not begin with lease_guard_main(). Errors: it could not be started.
Result<> start_lease_guard();

// The first line of main(): nothing, unless these words, those behind the program's name, make this process a
// guard; then its exit code, once it is done.
std::optional<int> lease_guard_main(const std::vector<std::string>& words);

}  // namespace ergon::app
