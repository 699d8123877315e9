#include "device/twin/clock_grid.h"

#include <algorithm>
#include <cmath>

#include "base/contract.h"

namespace ergon::device {
namespace {

// Relative tolerance: a clock such as 1597.5 MHz may differ from its step by a rounding error.
constexpr double kRounding = 1e-6;

}  // namespace

ClockGrid::ClockGrid(const CoreClock& core) : core_(core) {
  ERGON_EXPECTS(core.step > Hertz{0} && core.min <= core.max);
  const double steps = ((core.max - core.min) / core.step).si();
  size_ = static_cast<std::size_t>(std::ceil(steps - kRounding)) + 1;
}

Hertz ClockGrid::at(std::size_t step) const {
  ERGON_EXPECTS(step < size_);
  return step == highest() ? core_.max : core_.min + core_.step * static_cast<double>(step);
}

std::size_t ClockGrid::step_at_or_below(Hertz clock) const {
  if (clock >= core_.max) return highest();
  const double steps = std::floor(((clock - core_.min) / core_.step).si() + kRounding);
  return std::min(highest(), static_cast<std::size_t>(std::max(0.0, steps)));
}

}  // namespace ergon::device
