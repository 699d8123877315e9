#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "base/units.h"

namespace ergon::service {

// The time `wait` after `start`. A wait of more than 30 years, such as that for a body of 2^64 bytes, is cut
// to 30 years, because the clock counts nanoseconds in 64 bits.
inline std::chrono::steady_clock::time_point after(std::chrono::steady_clock::time_point start,
                                                   Seconds wait) {
  constexpr Seconds kLongest{30.0 * 365 * 24 * 3600};
  const double seconds = std::clamp(wait, Seconds{0}, kLongest).si();
  return start + std::chrono::nanoseconds(static_cast<std::int64_t>(seconds * 1e9));
}

}  // namespace ergon::service
