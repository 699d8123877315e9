#pragma once

#include <memory>

#include "cap/wrapped_plant.h"
#include "control/surfaces/surface.h"

namespace ergon::app {

// Hides the clocks of a plant: it runs at its highest clock, and operating points have no clock.
class FixedClockPlant final : public WrappedPlant {
 public:
  // Contract: the plant has clocks.
  explicit FixedClockPlant(std::unique_ptr<control::Plant> inner);

  const control::Knobs& knobs() const override { return knobs_; }
  Result<control::Feedback> run(const control::Point& point,
                                const control::Controller::DecisionInterval& interval) override;

 private:
  Hertz clock_;
  control::Knobs knobs_;
};

// The surface of such a plant.
class FixedClockSurface final : public control::Surface {
 public:
  FixedClockSurface(std::shared_ptr<const control::Surface> inner, Hertz clock);
  control::Expectation at(const control::Point& point) const override;

 private:
  std::shared_ptr<const control::Surface> inner_;
  Hertz clock_;
};

}  // namespace ergon::app
