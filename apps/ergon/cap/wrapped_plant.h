#pragma once

#include <memory>

#include "control/plants/plant.h"

namespace ergon::app {

// Forwards to another plant. Derived classes override run().
class WrappedPlant : public control::Plant {
 public:
  explicit WrappedPlant(std::unique_ptr<control::Plant> inner) : inner_(std::move(inner)) {}

  const control::Knobs& knobs() const override { return inner_->knobs(); }
  bool simulated() const override { return inner_->simulated(); }
  Seconds now() const override { return inner_->now(); }
  Watts idle_power() const override { return inner_->idle_power(); }
  std::vector<control::PowerSegment> take_power_segments() override { return inner_->take_power_segments(); }
  std::vector<control::Latency> take_latencies() override { return inner_->take_latencies(); }

 protected:
  control::Plant& inner() { return *inner_; }

 private:
  std::unique_ptr<control::Plant> inner_;
};

}  // namespace ergon::app
