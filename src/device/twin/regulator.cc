// Clocks have discrete steps: near the limit, one step draws less than the limit and the next one more. The
// regulator alternates between them so that the limit is met on average. Energy saved in a period below the
// limit is accumulated, and a period above the limit is allowed when the savings cover its excess. Two rules
// bound the excess. A period above the limit is always followed by one within it; because this would leave
// power unused if the higher step exceeds the limit only slightly, the second step above is allowed too. And
// the savings are capped at the cost of one such period, so that a long idle time does not permit a long
// excess.
//
// Power and temperature are monotonic during a period (see OperatingPoint), so checking both ends of a period
// covers all of it.

#include "device/twin/regulator.h"

#include <algorithm>

namespace ergon::device {
namespace {

constexpr std::size_t kStepsAbove = 2;

// Highest power during the next period.
Watts peak(const OperatingPoint& point, Celsius temperature) {
  return std::max(point.power_at(temperature), point.power_at(point.after_tick(temperature)));
}

}  // namespace

bool Regulator::stays_cool(const OperatingPoint& point, Celsius temperature) const {
  return point.after_tick(temperature) <= slowdown_;
}

std::size_t Regulator::highest_within(OperatingPoints& points, std::size_t ceiling, Watts limit,
                                      Celsius temperature) {
  const auto fits = [&](std::size_t step) {
    const OperatingPoint& point = points.at(step);
    return peak(point, temperature) <= limit && stays_cool(point, temperature);
  };
  if (fits(ceiling)) return within_ = ceiling;
  within_ = std::min(within_, ceiling);
  while (within_ > 0 && !fits(within_)) --within_;
  while (within_ + 1 < ceiling && fits(within_ + 1)) ++within_;
  return within_;
}

Regulator::NextStep Regulator::choose(OperatingPoints& points, const PeriodEnd& state) {
  const bool above = points.at(state.step).power_at(state.temperature) > state.limit;
  const std::size_t within = highest_within(points, state.ceiling, state.limit, state.temperature);
  if (within == state.ceiling) {
    spare_ = Joules{0};
    return {within, {}};
  }
  const OperatingPoint& next = points.at(within + 1);
  NextStep next_step{within,
                     {peak(next, state.temperature) > state.limit, !stays_cool(next, state.temperature)}};

  const auto cost = [&](std::size_t step) {
    return (peak(points.at(step), state.temperature) - state.limit) * period_;
  };
  const std::size_t highest = std::min(state.ceiling, within + kStepsAbove);
  const Joules max_spare = std::max(Joules{0}, cost(highest));
  spare_ = std::clamp(spare_ + state.limit * period_ - state.drawn, Joules{0}, max_spare);
  if (above) return next_step;
  for (std::size_t step = highest; step > within; --step) {
    if (cost(step) > spare_ || !stays_cool(points.at(step), state.temperature)) continue;
    next_step.step = step;
    break;
  }
  return next_step;
}

}  // namespace ergon::device
