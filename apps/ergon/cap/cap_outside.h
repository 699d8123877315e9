#pragma once

#include <memory>

#include "cap/cap_settings.h"
#include "control/caps/cap_source.h"
#include "shell.h"

namespace ergon::app {

// Opens the cap source and waits until it has a cap: a file may be in the middle of being written, and a
// socket needs a first client. Errors: those of the source; a schedule without a cap at time 0; cancelled on
// stop.
Result<std::unique_ptr<control::CapSource>> cap_for(const CapSettings& settings, Shell& shell);

// "cap 250 W", "caps from caps.csv".
std::string cap_text_of(const CapSettings& settings);

}  // namespace ergon::app
