#include "device/twin/clock_grid.h"

#include <algorithm>
#include <cmath>

#include "base/contract.h"

namespace ergon::device {
namespace {

// A clock that misses its step by rounding, as 1597.5 MHz computed in another way does, is meant to be there.
constexpr double kRounding = 1e-6;

}  // namespace

ClockGrid::ClockGrid(const CoreClock& core) : core_(core) {
  ERGON_EXPECTS(core.step > Hertz{0} && core.least <= core.most);
  const double steps = ((core.most - core.least) / core.step).si();
  size_ = static_cast<std::size_t>(std::ceil(steps - kRounding)) + 1;
}

Hertz ClockGrid::at(std::size_t step) const {
  ERGON_EXPECTS(step < size_);
  return step == highest() ? core_.most : core_.least + core_.step * static_cast<double>(step);
}

std::size_t ClockGrid::at_most(Hertz clock) const {
  if (clock >= core_.most) return highest();
  const double steps = std::floor(((clock - core_.least) / core_.step).si() + kRounding);
  return std::min(highest(), static_cast<std::size_t>(std::max(0.0, steps)));
}

}  // namespace ergon::device
