#pragma once

#include <optional>

#include "base/units.h"

namespace ergon::allocate {

// What one layer runs at.
struct Setting {
  Hertz clock;
  double words = 0;                 // a cycle of the highest clock: the bandwidth
  std::optional<Hertz> tail_clock;  // from the last wait for data on, where a layer may change its clock

  Hertz leaves_at() const { return tail_clock.value_or(clock); }
  friend bool operator==(const Setting&, const Setting&) = default;
};

}  // namespace ergon::allocate
