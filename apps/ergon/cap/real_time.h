#pragma once

#include <memory>
#include <optional>
#include <stop_token>

#include "base/clock.h"
#include "cap/wrapped_plant.h"

namespace ergon::app {

// Sleeps until `due` or until stop is requested; reacts to stop within 50 ms.
void sleep_until(Clock& clock, Instant due, const std::stop_token& stop);

// Slows a simulated plant down to real time, so that the cap can be changed during the run.
class RealTimePlant final : public WrappedPlant {
 public:
  RealTimePlant(std::unique_ptr<control::Plant> inner, Clock& clock, std::stop_token stop);

  Result<control::Feedback> run(const control::Point& point,
                                const control::Controller::DecisionInterval& interval) override;

 private:
  Clock& clock_;
  std::stop_token stop_;
  // The time of the first run() on both clocks.
  struct Start {
    Instant real;
    Seconds simulated;
  };
  std::optional<Start> start_;
};

}  // namespace ergon::app
