#include "control/controllers/guarded.h"

#include <cmath>

#include <fmt/format.h>

namespace ergon::control {
namespace {

// Factors on maximum and idle power: readings overshoot briefly, and idle power is approximate.
constexpr double kMaxFactor = 2, kMinFactor = 0.7;

}  // namespace

Guarded::Guarded(std::unique_ptr<Controller> inner, Point safest, PowerRange range)
    : inner_(std::move(inner)), safest_(safest), range_(range) {}

Action Guarded::first(Watts cap) {
  Action action = inner_->first(cap);
  last_ = action.point;
  return action;
}

std::string Guarded::fault_of(const Feedback& feedback) const {
  if (!feedback.power) return "no power reading";
  for (const Watts power : {*feedback.power, feedback.mean_power.value_or(*feedback.power)}) {
    const bool possible = std::isfinite(power.si()) && power >= range_.idle * kMinFactor &&
                          power > Watts{0} && power <= range_.max * kMaxFactor;
    if (!possible) return fmt::format("implausible power reading of {:.4g} W", power.si());
  }
  if (!(feedback.samples > 0) && feedback.saturated) return "no samples completed";
  return {};
}

Action Guarded::step(const Feedback& feedback) {
  if (const std::string why = fault_of(feedback); !why.empty()) {
    at_safest_ = true;
    return {safest_, why + ": the safest point"};
  }
  if (at_safest_) {
    at_safest_ = false;
    return {last_, "plausible readings again: back to the previous point"};
  }
  // Power at partial load says nothing about full load. Only a violation of the cap is acted on.
  if (!feedback.saturated && *feedback.power <= feedback.cap)
    return {feedback.point, fmt::format("{:.0f} W at partial load: no change",
                                        feedback.mean_power.value_or(*feedback.power).si())};
  Action action = inner_->step(feedback);
  last_ = action.point;
  return action;
}

}  // namespace ergon::control
