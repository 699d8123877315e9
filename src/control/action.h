#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/units.h"

namespace ergon::control {

// An operating point of a running network.
struct Point {
  std::int64_t batch = 1;
  std::optional<Hertz> clock;  // empty: the default clock (unlocked)

  friend bool operator==(const Point&, const Point&) = default;
};

// The batches and clocks that a controller may choose.
struct Knobs {
  std::vector<std::int64_t> batches;  // ascending, distinct
  std::vector<Hertz> clocks;          // ascending; empty: the clock must not be set
};

// The smallest batch and the lowest clock (no clock if there are none). Contract: at least one batch.
Point safest_point(const Knobs& knobs);

// "batch 16 at 900 MHz"
std::string text_of(const Point& point);

// The next operating point and, for the log, the reason.
struct Action {
  Point point;
  std::string reason;
};

}  // namespace ergon::control
