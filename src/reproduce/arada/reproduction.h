#pragma once

#include "base/result.h"
#include "reproduce/environment.h"
#include "reproduce/reproduction.h"

namespace ergon::reproduce {

// ARADA's schedules, simulated. Errors: interrupted.
Result<Reproduction> reproduce_arada(const Environment& environment);

}  // namespace ergon::reproduce
