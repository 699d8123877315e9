#include "control/guarded.h"

#include <cmath>

#include <fmt/format.h>

namespace ergon::control {
namespace {

// Readings overshoot for an instant; nothing draws twice what it can.
constexpr double kAbsurd = 2;

}  // namespace

Guarded::Guarded(std::unique_ptr<Controller> inner, Point safest, Watts most)
    : inner_(std::move(inner)), safest_(safest), most_(most) {}

Action Guarded::step(const Reading& reading) {
  if (!reading.power) return {safest_, "the sensor is silent: the safest point"};
  const Watts power = *reading.power;
  if (!std::isfinite(power.si()) || power <= Watts{0} || power > most_ * kAbsurd)
    return {safest_, fmt::format("the sensor reads {:.4g} W, which cannot be: the safest point", power.si())};
  return inner_->step(reading);
}

}  // namespace ergon::control
