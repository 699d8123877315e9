#include "control/vague_surface.h"

#include <cmath>

#include "device/twin/load.h"

namespace ergon::control {
namespace {

class VagueSurface final : public Surface {
 public:
  VagueSurface(Watts idle, Watts most, const Knobs& knobs) : idle_(idle), most_(most) {
    half_ = std::sqrt(static_cast<double>(knobs.batches.front()) * static_cast<double>(knobs.batches.back()));
    if (!knobs.clocks.empty()) highest_ = knobs.clocks.back();
  }
  Expectation at(const Point& point) const override {
    const double batch = static_cast<double>(point.batch);
    const double clock = point.clock && highest_ > Hertz{0} ? (*point.clock / highest_).si() : 1;
    const double busy = std::sqrt(batch / (batch + half_));
    const Seconds gpu{1e-3 * batch / half_ * std::pow(clock, -0.7)}, host{1e-3};
    return {device::pace(gpu, host), idle_ + (most_ - idle_) * (busy * clock * clock), gpu, host};
  }

 private:
  Watts idle_, most_;
  double half_ = 1;
  Hertz highest_;
};

}  // namespace

std::shared_ptr<const Surface> vague_surface(Watts idle, Watts most, const Knobs& knobs) {
  return std::make_shared<VagueSurface>(idle, most, knobs);
}

}  // namespace ergon::control
