#pragma once

#include "base/clock.h"

namespace ergon::meter {

// This time after the start.
inline Instant at(Seconds time) { return Instant{} + time; }

}  // namespace ergon::meter
