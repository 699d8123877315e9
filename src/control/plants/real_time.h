#pragma once

#include <memory>
#include <optional>
#include <stop_token>

#include "base/clock.h"
#include "control/plants/wrapped_plant.h"

namespace ergon::control {

// Slows a simulated plant down to real time, so that the cap can be changed during the run.
class RealTimePlant final : public WrappedPlant {
 public:
  RealTimePlant(std::unique_ptr<Plant> inner, Clock& clock, std::stop_token stop);

  Result<Feedback> run(const Point& point, const Controller::DecisionInterval& interval) override;

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

}  // namespace ergon::control
