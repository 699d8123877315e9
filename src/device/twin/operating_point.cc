#include "device/twin/operating_point.h"

#include <cmath>

#include "base/contract.h"
#include "device/twin/steady_state.h"

namespace ergon::device {
namespace {

OperatingPoint point_of(const Activity& activity, const Specification& gpu, Hertz clock) {
  // Power is linear in temperature: two distant temperatures give the slope with little rounding error.
  constexpr Celsius kCool{0}, kHot{100};
  const Equilibrium equilibrium = equilibrium_of(activity, gpu, clock);
  OperatingPoint point;
  point.clock = clock;
  point.power = equilibrium.power;
  point.temperature = equilibrium.temperature;
  point.leak =
      (power_of(activity, gpu, clock, kHot) - power_of(activity, gpu, clock, kCool)) / (kHot - kCool);
  point.time_constant = gpu.thermal.time_constant / (1 - (gpu.thermal.resistance * point.leak).si());
  point.left_after_tick = std::exp(-(gpu.limit.period / point.time_constant).si());
  point.iteration = activity.time;
  return point;
}

}  // namespace

OperatingPoint bare_point(const Specification& gpu) {
  Specification bare = gpu;
  bare.power.resident = Watts{0};
  return point_of(Activity{}, bare, gpu.core.min);
}

OperatingPoints::OperatingPoints(std::shared_ptr<const Specification> gpu, std::shared_ptr<const Load> load)
    : gpu_(std::move(gpu)), load_(std::move(load)), grid_(gpu_->core), points_(grid_.size()) {}

const OperatingPoint& OperatingPoints::at(std::size_t step) {
  std::optional<OperatingPoint>& point = points_[step];
  if (!point) {
    const Hertz clock = grid_.at(step);
    point = point_of(load_ ? load_->at(clock) : Activity{}, *gpu_, clock);
    ERGON_EXPECTS(!load_ || point->iteration > Seconds{0});
  }
  return *point;
}

OperatingPhase::State OperatingPhase::at(Instant time) const {
  const Seconds passed = time - begin;
  const double left = std::exp(-(passed / point.time_constant).si());
  const Kelvins difference = reached.temperature - point.temperature;
  State state;
  state.temperature = point.temperature + difference * left;
  state.energy =
      reached.energy + point.power * passed + point.leak * difference * point.time_constant * (1 - left);
  state.iterations = reached.iterations;
  if (point.iteration > Seconds{0}) state.iterations += (passed / point.iteration).si();
  return state;
}

}  // namespace ergon::device
