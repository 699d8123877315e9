#pragma once

#include <memory>
#include <optional>
#include <stop_token>

#include "base/clock.h"
#include "cap/wrapped_plant.h"

namespace ergon::app {

// Sleeps until then, or until somebody asks to stop, which it sees within a twentieth of a second.
void sleep_until(Clock& clock, Instant due, const std::stop_token& stop);

// A simulated plant whose time passes as ours does. An hour of a twin is over in a blink, and nobody could
// tell it another cap meanwhile.
class RealTimePlant final : public WrappedPlant {
 public:
  RealTimePlant(std::unique_ptr<control::Plant> inner, Clock& clock, std::stop_token stop);

  Result<control::Reading> run(const control::Point& point,
                               const control::Controller::Patience& patience) override;

 private:
  Clock& clock_;
  std::stop_token stop_;
  // The same moment on both clocks, from the first run on.
  struct Start {
    Instant ours;
    Seconds its;
  };
  std::optional<Start> start_;
};

}  // namespace ergon::app
