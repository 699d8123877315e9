#pragma once

#include <cstdint>
#include <optional>

#include "base/units.h"

namespace ergon::allocate {

// Another clock for the rest of a layer.
struct Tail {
  std::int64_t after_line = 0;  // of the array: the last at the first clock
  Hertz clock;

  friend bool operator==(const Tail&, const Tail&) = default;
};

// What one layer runs at.
struct Setting {
  Hertz clock;
  double words = 0;  // a cycle of the highest clock: the bandwidth
  std::optional<Tail> tail;

  Hertz leaves_at() const { return tail ? tail->clock : clock; }
  friend bool operator==(const Setting&, const Setting&) = default;
};

}  // namespace ergon::allocate
