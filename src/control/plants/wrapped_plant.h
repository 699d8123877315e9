#pragma once

#include <memory>

#include "control/plants/plant.h"

namespace ergon::control {

// Forwards to another plant. Derived classes override run().
class WrappedPlant : public Plant {
 public:
  explicit WrappedPlant(std::unique_ptr<Plant> inner) : inner_(std::move(inner)) {}

  const Knobs& knobs() const override { return inner_->knobs(); }
  bool simulated() const override { return inner_->simulated(); }
  Seconds now() const override { return inner_->now(); }
  Watts idle_power() const override { return inner_->idle_power(); }
  std::vector<PowerSegment> take_power_segments() override { return inner_->take_power_segments(); }
  std::vector<Latency> take_latencies() override { return inner_->take_latencies(); }

 protected:
  Plant& inner() { return *inner_; }

 private:
  std::unique_ptr<Plant> inner_;
};

}  // namespace ergon::control
