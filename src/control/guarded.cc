#include "control/guarded.h"

#include <cmath>

#include <fmt/format.h>

namespace ergon::control {
namespace {

// Readings overshoot for an instant, and idle power is not known exactly; nothing is that far off.
constexpr double kTooMuch = 2, kTooLittle = 0.7;

}  // namespace

Guarded::Guarded(std::unique_ptr<Controller> inner, Point safest, Range range)
    : inner_(std::move(inner)), safest_(safest), range_(range) {}

Action Guarded::first(Watts cap) {
  Action action = inner_->first(cap);
  last_ = action.point;
  return action;
}

std::string Guarded::doubt(const Reading& reading) const {
  if (!reading.power) return "the sensor is silent";
  for (const Watts power : {*reading.power, reading.mean_power.value_or(*reading.power)}) {
    const bool possible = std::isfinite(power.si()) && power >= range_.idle * kTooLittle &&
                          power > Watts{0} && power <= range_.most * kTooMuch;
    if (!possible) return fmt::format("the sensor reads {:.4g} W, which cannot be", power.si());
  }
  if (!(reading.samples > 0) && reading.saturated) return "the network stands still";
  return {};
}

Action Guarded::step(const Reading& reading) {
  if (const std::string why = doubt(reading); !why.empty()) {
    away_ = true;
    return {safest_, why + ": the safest point"};
  }
  if (away_) {
    away_ = false;
    return {last_, "readings make sense again: back to where it was"};
  }
  // What is drawn with little to do says nothing of what would be with more. Only too much is too much.
  if (!reading.saturated && *reading.power <= reading.cap)
    return {reading.point, fmt::format("{:.0f} W with fewer requests than it could answer: stays",
                                       reading.mean_power.value_or(*reading.power).si())};
  Action action = inner_->step(reading);
  last_ = action.point;
  return action;
}

}  // namespace ergon::control
