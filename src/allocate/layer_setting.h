#pragma once

#include <cstdint>
#include <optional>

#include "base/units.h"

namespace ergon::allocate {

// A second clock for the rest of a layer.
struct Tail {
  std::int64_t after_line = 0;  // last line of the array at the first clock
  Hertz clock;

  friend bool operator==(const Tail&, const Tail&) = default;
};

// Clock and bandwidth of one layer.
struct LayerSetting {
  Hertz clock;
  double words = 0;  // bandwidth, in words per cycle of the highest clock
  std::optional<Tail> tail;

  Hertz leaves_at() const { return tail ? tail->clock : clock; }
  friend bool operator==(const LayerSetting&, const LayerSetting&) = default;
};

}  // namespace ergon::allocate
