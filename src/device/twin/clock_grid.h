#pragma once

#include <cstddef>

#include "device/twin/specification.h"

namespace ergon::device {

// The clocks that a chip can run at, in ascending order: from the least in even steps, and the highest,
// whether or not the steps meet it.
class ClockGrid {
 public:
  explicit ClockGrid(const CoreClock& core);

  std::size_t size() const { return size_; }
  std::size_t highest() const { return size_ - 1; }
  // Contract: step < size().
  Hertz at(std::size_t step) const;
  // The highest step whose clock is not above `clock`; the lowest if all are.
  std::size_t at_most(Hertz clock) const;

 private:
  CoreClock core_;
  std::size_t size_ = 1;
};

}  // namespace ergon::device
