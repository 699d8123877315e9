#pragma once

#include <memory>
#include <stop_token>

#include "base/clock.h"
#include "control/caps/cap_source.h"

namespace ergon::control {

// Waits until a source has its first cap: a file may be half-written, and a socket needs a first client.
// Returns a source whose first poll() gives that cap; its time starts then. Errors: those of the source;
// cancelled on stop.
Result<std::unique_ptr<CapSource>> awaited_cap(std::unique_ptr<CapSource> source, Clock& clock,
                                               const std::stop_token& stop);

}  // namespace ergon::control
