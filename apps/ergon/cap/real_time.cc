#include "cap/real_time.h"

#include <algorithm>

namespace ergon::app {

void sleep_until(Clock& clock, Instant due, const std::stop_token& stop) {
  constexpr Seconds kSlice{0.05};
  while (clock.now() < due && !stop.stop_requested()) clock.sleep_until(std::min(due, clock.now() + kSlice));
}

RealTimePlant::RealTimePlant(std::unique_ptr<control::Plant> inner, Clock& clock, std::stop_token stop)
    : WrappedPlant(std::move(inner)), clock_(clock), stop_(std::move(stop)) {}

Result<control::Feedback> RealTimePlant::run(const control::Point& point,
                                             const control::Controller::DecisionInterval& interval) {
  if (!start_) start_ = {clock_.now(), inner().now()};
  auto feedback = inner().run(point, interval);
  sleep_until(clock_, start_->real + (inner().now() - start_->simulated), stop_);
  return feedback;
}

}  // namespace ergon::app
