#include "control/plants/real_time.h"

#include "base/sleep.h"

namespace ergon::control {

RealTimePlant::RealTimePlant(std::unique_ptr<Plant> inner, Clock& clock, std::stop_token stop)
    : WrappedPlant(std::move(inner)), clock_(clock), stop_(std::move(stop)) {}

Result<Feedback> RealTimePlant::run(const Point& point, const Controller::DecisionInterval& interval) {
  if (!start_) start_ = {clock_.now(), inner().now()};
  auto feedback = inner().run(point, interval);
  sleep_until(clock_, start_->real + (inner().now() - start_->simulated), stop_);
  return feedback;
}

}  // namespace ergon::control
