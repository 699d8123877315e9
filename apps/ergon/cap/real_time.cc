#include "cap/real_time.h"

#include <algorithm>

namespace ergon::app {

void sleep_until(Clock& clock, Instant due, const std::stop_token& stop) {
  constexpr Seconds kNap{0.05};
  while (clock.now() < due && !stop.stop_requested()) clock.sleep_until(std::min(due, clock.now() + kNap));
}

RealTimePlant::RealTimePlant(std::unique_ptr<control::Plant> inner, Clock& clock, std::stop_token stop)
    : WrappedPlant(std::move(inner)), clock_(clock), stop_(std::move(stop)) {}

Result<control::Reading> RealTimePlant::run(const control::Point& point,
                                            const control::Controller::Patience& patience) {
  if (!start_) start_ = {clock_.now(), inner().now()};
  auto reading = inner().run(point, patience);
  sleep_until(clock_, start_->ours + (inner().now() - start_->its), stop_);
  return reading;
}

}  // namespace ergon::app
