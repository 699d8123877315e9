#include "control/surfaces/generic_surface.h"

#include <cmath>

#include "device/twin/load.h"

namespace ergon::control {
namespace {

class GenericSurface final : public Surface {
 public:
  GenericSurface(Watts idle, Watts max_power, const Knobs& knobs) : idle_(idle), max_(max_power) {
    half_ = std::sqrt(static_cast<double>(knobs.batches.front()) * static_cast<double>(knobs.batches.back()));
    if (!knobs.clocks.empty()) highest_ = knobs.clocks.back();
  }
  Expectation at(const Point& point) const override {
    const auto batch = static_cast<double>(point.batch);
    const double clock = point.clock && highest_ > Hertz{0} ? (*point.clock / highest_).si() : 1;
    const double busy = std::sqrt(batch / (batch + half_));
    const Seconds gpu{1e-3 * batch / half_ * std::pow(clock, -0.7)}, host{1e-3};
    return {device::iteration_time(gpu, host), idle_ + (max_ - idle_) * (busy * clock * clock), gpu, host};
  }

 private:
  Watts idle_, max_;
  double half_ = 1;
  Hertz highest_;
};

}  // namespace

std::shared_ptr<const Surface> generic_surface(Watts idle, Watts max_power, const Knobs& knobs) {
  return std::make_shared<GenericSurface>(idle, max_power, knobs);
}

}  // namespace ergon::control
