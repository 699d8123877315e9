#include "predict/clock_curve.h"

#include <algorithm>
#include <cmath>

#include "base/contract.h"
#include "device/twin/load.h"

namespace ergon::predict {
namespace {

constexpr std::size_t kKnots = 24;

// Logarithmically spaced, plus the knots of the memory bandwidth curve.
std::vector<Hertz> clocks_of(const device::Specification& gpu) {
  std::vector<Hertz> clocks;
  const double ratio = (gpu.core.max / gpu.core.min).si();
  for (std::size_t i = 0; i < kKnots; ++i)
    clocks.push_back(gpu.core.min * std::pow(ratio, static_cast<double>(i) / (kKnots - 1)));
  clocks.back() = gpu.core.max;
  const auto& knots = gpu.memory.over_clock.points;
  for (std::size_t i = 0; i < knots.size(); ++i) {
    clocks.push_back(knots[i].clock);
    // The bandwidth may rise steeply between two knots.
    constexpr int kBetween = 6;
    for (int k = 1; k < kBetween && i + 1 < knots.size(); ++k)
      clocks.push_back(knots[i].clock +
                       (knots[i + 1].clock - knots[i].clock) * (static_cast<double>(k) / kBetween));
  }
  std::erase_if(clocks, [&](Hertz clock) { return clock < gpu.core.min || clock > gpu.core.max; });
  std::sort(clocks.begin(), clocks.end());
  clocks.erase(std::unique(clocks.begin(), clocks.end()), clocks.end());
  return clocks;
}

}  // namespace

ClockCurve::ClockCurve(const device::Specification& gpu,
                       const std::function<device::Activity(Hertz)>& activity, Seconds host)
    : host_(host) {
  for (const Hertz clock : clocks_of(gpu)) {
    const device::Activity there = activity(clock);
    constexpr double kMinSeconds = 1e-12;
    knots_.push_back({std::log(clock.si()), std::log(std::max(kMinSeconds, there.gpu.si())),
                      std::log(std::max(kMinSeconds, there.busy.si()))});
    work_ = there.work;
    transfers_ = there.transfers;
  }
}

device::Activity ClockCurve::activity_at(Hertz clock) const {
  ERGON_EXPECTS(knots_.size() > 1);
  const double x = std::clamp(std::log(clock.si()), knots_.front().clock, knots_.back().clock);
  auto above = std::lower_bound(knots_.begin(), knots_.end(), x,
                                [](const Knot& knot, double value) { return knot.clock < value; });
  above = std::clamp(above, knots_.begin() + 1, knots_.end() - 1);
  const Knot& low = *(above - 1);
  const double share = (x - low.clock) / (above->clock - low.clock);
  device::Activity activity;
  activity.gpu = Seconds{std::exp(low.kernels + share * (above->kernels - low.kernels)) * time_scale_};
  activity.busy = Seconds{std::exp(low.busy + share * (above->busy - low.busy)) * time_scale_};
  activity.host = host_;
  activity.time = device::iteration_time(activity.gpu, host_);
  activity.work = work_;
  activity.transfers = transfers_;
  return activity;
}

ClockCurve::Point ClockCurve::at(const device::Specification& gpu, Hertz clock) const {
  const device::Activity activity = activity_at(clock);
  const Watts power = device::equilibrium_of(activity, gpu, clock).power * power_scale_;
  return {clock, activity.time, activity.gpu, host_, power};
}

ClockCurve::Point ClockCurve::settle(const device::Specification& gpu, Hertz requested, Watts limit) const {
  const Watts held = std::max(limit, gpu.limit.holds_from);
  const auto fits = [&](const Point& point) {
    return point.power <= held &&
           gpu.thermal.ambient + gpu.thermal.resistance * point.power <= gpu.thermal.slowdown;
  };
  Point point = at(gpu, requested);
  if (!fits(point)) {
    Hertz low = gpu.core.min, high = requested;
    constexpr int kHalvings = 24;
    if (fits(at(gpu, low))) {
      for (int i = 0; i < kHalvings; ++i) {
        const Hertz middle = (low + high) / 2;
        (fits(at(gpu, middle)) ? low : high) = middle;
      }
    }
    point = at(gpu, low);
    point.limited = true;
  }
  constexpr double kRounding = 1 + 1e-9;
  point.limit_held = point.power <= limit * kRounding;
  return point;
}

void ClockCurve::set_kernels(const device::Specification& gpu, Hertz clock, Seconds kernels) {
  time_scale_ *= (kernels / at(gpu, clock).kernels).si();
}

void ClockCurve::set_power(const device::Specification& gpu, Hertz clock, Watts power) {
  power_scale_ *= (power / at(gpu, clock).power).si();
}

}  // namespace ergon::predict
