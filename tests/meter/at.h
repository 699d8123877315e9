#pragma once

#include "base/clock.h"

namespace ergon::meter {

// So long after the beginning.
inline Instant at(Seconds time) { return Instant{} + time; }

}  // namespace ergon::meter
