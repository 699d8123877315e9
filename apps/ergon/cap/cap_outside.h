#pragma once

#include <memory>

#include "cap/cap_settings.h"
#include "control/cap_source.h"
#include "shell.h"

namespace ergon::app {

// Where the cap comes from, with a cap that holds already: a file that is being written gets its moment, and
// a socket is waited at until somebody sends the first. Errors: those of the source; no cap at the beginning
// of a schedule; somebody stopped the waiting.
Result<std::unique_ptr<control::CapSource>> cap_for(const CapSettings& settings, Shell& shell);

// "250 W", "the caps of caps.csv".
std::string cap_text_of(const CapSettings& settings);

}  // namespace ergon::app
