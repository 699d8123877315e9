#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "device/twin/steady.h"
#include "graph/network.h"
#include "predict/clock_curve.h"
#include "predict/forecast.h"
#include "predict/model.h"
#include "predict/placed_job.h"
#include "predict/task.h"

namespace ergon::predict {

// A network on a device, ready to be asked about any clock and limit. Asking costs well under a microsecond.
class Outlook {
 public:
  // Contract: device::check() accepts the setting.
  Forecast at(const device::Setting& setting) const;
  // The costliest first; their times add up to the time that kernels run, with waiting shared out.
  std::vector<OperationForecast> operations(const device::Setting& setting) const;
  // What speaks against trusting the numbers: operations outside what was learned.
  const std::vector<std::string>& warnings() const { return warnings_; }
  // How much of the time, 0 to 1, is spent in operations that were learned from as they are.
  double known_share() const { return known_share_; }
  const Condition& condition() const { return job_->condition; }
  Bytes memory() const { return memory_; }

 private:
  friend class Predictor;
  // Moves the twin's curve to where the model sees the whole network.
  void settle_on(const Model& model);

  std::shared_ptr<const device::Specification> gpu_;
  std::shared_ptr<const Job> job_;
  Regime regime_ = Regime::twin;
  Bytes memory_;
  PlacedJob placed_;
  Trust trust_;
  ClockCurve curve_;
  Widths widths_;
  double known_share_ = 0;
  std::vector<std::string> warnings_;
};

// Predicts networks on one device: by a model where there is one, otherwise by the twin.
class Predictor {
 public:
  explicit Predictor(device::Specification gpu);
  // Errors: a model of another device.
  static Result<Predictor> with(device::Specification gpu, Model model);

  const device::Specification& gpu() const { return *gpu_; }
  // Null where there is none.
  const Model* model() const { return model_.get(); }

  // Errors: a batch that the network cannot run at or that does not fit the memory.
  Result<Outlook> prepare(const graph::Network& network, const Condition& condition) const;
  Result<Outlook> prepare(Job job) const;

 private:
  std::shared_ptr<const device::Specification> gpu_;
  std::shared_ptr<const Model> model_;
};

}  // namespace ergon::predict
