#pragma once

#include <algorithm>
#include <stop_token>

#include "base/clock.h"

namespace ergon {

// Sleeps until `due` or until stop is requested; reacts to stop within 50 ms.
inline void sleep_until(Clock& clock, Instant due, const std::stop_token& stop) {
  constexpr Seconds kSlice{0.05};
  while (clock.now() < due && !stop.stop_requested()) clock.sleep_until(std::min(due, clock.now() + kSlice));
}

}  // namespace ergon
