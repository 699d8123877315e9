#include "control/plants/fixed_clock.h"

#include "base/contract.h"

namespace ergon::control {
namespace {

Hertz highest_clock(const Plant& plant) {
  ERGON_EXPECTS(!plant.knobs().clocks.empty());
  return plant.knobs().clocks.back();
}

}  // namespace

FixedClockPlant::FixedClockPlant(std::unique_ptr<Plant> inner)
    : WrappedPlant(std::move(inner)),
      clock_(highest_clock(this->inner())),
      knobs_{this->inner().knobs().batches, {}} {}

Result<Feedback> FixedClockPlant::run(const Point& point, const Controller::DecisionInterval& interval) {
  auto feedback = inner().run({point.batch, clock_}, interval);
  if (feedback) feedback->point = point;
  return feedback;
}

FixedClockSurface::FixedClockSurface(std::shared_ptr<const Surface> inner, Hertz clock)
    : inner_(std::move(inner)), clock_(clock) {}

Expectation FixedClockSurface::at(const Point& point) const { return inner_->at({point.batch, clock_}); }

}  // namespace ergon::control
