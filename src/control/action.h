#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/units.h"

namespace ergon::control {

// Where a running network can be put.
struct Point {
  std::int64_t batch = 1;
  std::optional<Hertz> clock;  // nothing: the device's own

  friend bool operator==(const Point&, const Point&) = default;
};

// What may be chosen from. Neither list is empty unless nothing of it may be touched.
struct Knobs {
  std::vector<std::int64_t> batches;  // ascending, without repetition
  std::vector<Hertz> clocks;          // ascending; empty: the clock is not ours
};

// The smallest batch and, where there is one to choose, the lowest clock. Contract: there is a batch.
Point safest_point(const Knobs& knobs);

// "batch 16 at 900 MHz"
std::string text_of(const Point& point);

// What a controller decided, and why, in words for the log.
struct Action {
  Point point;
  std::string reason;
};

}  // namespace ergon::control
