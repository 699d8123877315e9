#include "cap/fixed_clock.h"

#include "base/contract.h"

namespace ergon::app {
namespace {

Hertz highest_clock(const control::Plant& plant) {
  ERGON_EXPECTS(!plant.knobs().clocks.empty());
  return plant.knobs().clocks.back();
}

}  // namespace

FixedClockPlant::FixedClockPlant(std::unique_ptr<control::Plant> inner)
    : WrappedPlant(std::move(inner)),
      clock_(highest_clock(this->inner())),
      knobs_{this->inner().knobs().batches, {}} {}

Result<control::Feedback> FixedClockPlant::run(const control::Point& point,
                                               const control::Controller::DecisionInterval& interval) {
  auto feedback = inner().run({point.batch, clock_}, interval);
  if (feedback) feedback->point = point;
  return feedback;
}

FixedClockSurface::FixedClockSurface(std::shared_ptr<const control::Surface> inner, Hertz clock)
    : inner_(std::move(inner)), clock_(clock) {}

control::Expectation FixedClockSurface::at(const control::Point& point) const {
  return inner_->at({point.batch, clock_});
}

}  // namespace ergon::app
