#pragma once

#include <memory>

#include "cap/wrapped_plant.h"
#include "control/surface.h"

namespace ergon::app {

// A plant that has clocks to choose from, for somebody who may not: it runs at the highest, and no point
// names one.
class FixedClockPlant final : public WrappedPlant {
 public:
  // Contract: there are clocks.
  explicit FixedClockPlant(std::unique_ptr<control::Plant> inner);

  const control::Knobs& knobs() const override { return knobs_; }
  Result<control::Reading> run(const control::Point& point,
                               const control::Controller::Patience& patience) override;

 private:
  Hertz clock_;
  control::Knobs knobs_;
};

// What such a plant's points come to.
class FixedClockSurface final : public control::Surface {
 public:
  FixedClockSurface(std::shared_ptr<const control::Surface> inner, Hertz clock);
  control::Expectation at(const control::Point& point) const override;

 private:
  std::shared_ptr<const control::Surface> inner_;
  Hertz clock_;
};

}  // namespace ergon::app
