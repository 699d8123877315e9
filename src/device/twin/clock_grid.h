#pragma once

#include <cstddef>

#include "device/twin/specification.h"

namespace ergon::device {

// The supported core clocks of a GPU, ascending: from the lowest in even steps, plus the highest even if it
// is not a multiple of the step.
class ClockGrid {
 public:
  explicit ClockGrid(const CoreClock& core);

  std::size_t size() const { return size_; }
  std::size_t highest() const { return size_ - 1; }
  // Contract: step < size().
  Hertz at(std::size_t step) const;
  // The highest step whose clock is not above `clock`; the lowest step if all are above.
  std::size_t step_at_or_below(Hertz clock) const;

 private:
  CoreClock core_;
  std::size_t size_ = 1;
};

}  // namespace ergon::device
