#pragma once

#include <memory>

#include "control/plants/wrapped_plant.h"
#include "control/surfaces/surface.h"

namespace ergon::control {

// Hides the clocks of a plant: it runs at its highest clock, and operating points have no clock.
class FixedClockPlant final : public WrappedPlant {
 public:
  // Contract: the plant has clocks.
  explicit FixedClockPlant(std::unique_ptr<Plant> inner);

  const Knobs& knobs() const override { return knobs_; }
  Result<Feedback> run(const Point& point, const Controller::DecisionInterval& interval) override;

 private:
  Hertz clock_;
  Knobs knobs_;
};

// The surface of such a plant.
class FixedClockSurface final : public Surface {
 public:
  FixedClockSurface(std::shared_ptr<const Surface> inner, Hertz clock);
  Expectation at(const Point& point) const override;

 private:
  std::shared_ptr<const Surface> inner_;
  Hertz clock_;
};

}  // namespace ergon::control
