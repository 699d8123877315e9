// The clock comes in steps, and at the limit one step draws too little and the next too much. The regulator
// goes to and fro between them, so that the limit is met on average: what a period leaves below the limit is
// saved, and a period above it is granted when the savings cover it. Two rules keep this honest. A period
// above the limit is always followed by one within it; as this alone would leave a gap where the higher step
// is above by very little, the step after that may be granted too. And no more can be saved than one such
// period costs, so that a quiet minute does not pay for a loud second.
//
// Power and temperature move in one direction during a period (see OperatingPoint), so that looking at its
// end, and at its beginning, is looking at all of it.

#include "device/twin/regulator.h"

#include <algorithm>

namespace ergon::device {
namespace {

constexpr std::size_t kStepsAbove = 2;

// The most that is drawn at any moment of the next period.
Watts peak(const OperatingPoint& point, Celsius temperature) {
  return std::max(point.power_at(temperature), point.power_at(point.after_tick(temperature)));
}

}  // namespace

bool Regulator::cool(const OperatingPoint& point, Celsius temperature) const {
  return point.after_tick(temperature) <= slowdown_;
}

std::size_t Regulator::highest_within(OperatingPoints& points, std::size_t ceiling, Watts limit,
                                      Celsius temperature) {
  const auto fits = [&](std::size_t step) {
    const OperatingPoint& point = points.at(step);
    return peak(point, temperature) <= limit && cool(point, temperature);
  };
  if (fits(ceiling)) return within_ = ceiling;
  within_ = std::min(within_, ceiling);
  while (within_ > 0 && !fits(within_)) --within_;
  while (within_ + 1 < ceiling && fits(within_ + 1)) ++within_;
  return within_;
}

Regulator::Choice Regulator::choose(OperatingPoints& points, const Sight& sight) {
  const bool above = points.at(sight.step).power_at(sight.temperature) > sight.limit;
  const std::size_t within = highest_within(points, sight.ceiling, sight.limit, sight.temperature);
  if (within == sight.ceiling) {
    spare_ = Joules{0};
    return {within, {}};
  }
  const OperatingPoint& next = points.at(within + 1);
  Choice choice{within, {peak(next, sight.temperature) > sight.limit, !cool(next, sight.temperature)}};

  const auto cost = [&](std::size_t step) {
    return (peak(points.at(step), sight.temperature) - sight.limit) * period_;
  };
  const std::size_t highest = std::min(sight.ceiling, within + kStepsAbove);
  const Joules most = std::max(Joules{0}, cost(highest));
  spare_ = std::clamp(spare_ + sight.limit * period_ - sight.drawn, Joules{0}, most);
  if (above) return choice;
  for (std::size_t step = highest; step > within; --step) {
    if (cost(step) > spare_ || !cool(points.at(step), sight.temperature)) continue;
    choice.step = step;
    break;
  }
  return choice;
}

}  // namespace ergon::device
