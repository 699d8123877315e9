#pragma once

#include <memory>

#include "control/plant.h"

namespace ergon::app {

// Another plant in all but how it is run.
class WrappedPlant : public control::Plant {
 public:
  explicit WrappedPlant(std::unique_ptr<control::Plant> inner) : inner_(std::move(inner)) {}

  const control::Knobs& knobs() const override { return inner_->knobs(); }
  bool simulated() const override { return inner_->simulated(); }
  Seconds now() const override { return inner_->now(); }
  Watts idle_power() const override { return inner_->idle_power(); }
  std::vector<control::Stretch> passed() override { return inner_->passed(); }
  std::vector<control::Latency> latencies() override { return inner_->latencies(); }

 protected:
  control::Plant& inner() { return *inner_; }

 private:
  std::unique_ptr<control::Plant> inner_;
};

}  // namespace ergon::app
