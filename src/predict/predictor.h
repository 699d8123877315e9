#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "device/twin/steady_state.h"
#include "graph/network.h"
#include "predict/clock_curve.h"
#include "predict/estimate/iteration_estimate.h"
#include "predict/estimate/task.h"
#include "predict/model/model.h"
#include "predict/prediction.h"

namespace ergon::predict {

// A network prepared for one device. Predicts any clock and power limit in well under a microsecond.
class PreparedNetwork {
 public:
  // Contract: device::check() accepts the setting.
  Prediction predict(const device::ClockAndLimit& setting) const;
  // Errors: internal, if the prediction or the sum of its operations violates a check of sanity.h.
  Result<> check(const device::ClockAndLimit& setting) const;
  // By descending energy. Their times and energies add up to the network's: time in which the GPU waits for
  // the host is distributed in proportion.
  std::vector<OperationPrediction> operations(const device::ClockAndLimit& setting) const;
  // What the prediction does not cover: operations or launch hosts outside the training data, data types that
  // are not modeled or that the device does not support, folded batch norms, intervals that are defaults.
  const std::vector<std::string>& warnings() const { return warnings_; }
  // Share of the time, 0 to 1, in measured operations.
  double measured_share() const { return measured_share_; }
  const WorkloadConfig& config() const { return iteration_->config; }
  Bytes memory() const { return memory_; }

 private:
  friend class Predictor;
  // Scales the twin's clock curve to the model's prediction of the network.
  void calibrate(const Model& model);
  // Sets the intervals of a prediction by the twin alone.
  void use_twin_widths();
  // Widens the intervals by the share of time outside of what is known. `range`: null without learned
  // operations.
  void widen(const TrainingRange* range);

  std::shared_ptr<const device::Specification> gpu_;
  std::shared_ptr<const Iteration> iteration_;
  PredictionSource source_ = PredictionSource::twin;
  Bytes memory_;
  IterationEstimate estimate_;
  Shrinkage shrinkage_;
  ClockCurve curve_;
  IntervalWidths widths_;
  double measured_share_ = 0;
  std::optional<std::string> width_warning_;  // why the widths are defaults
  std::vector<std::string> warnings_;
};

// Predicts networks on one device: with a model if there is one, otherwise with the twin.
class Predictor {
 public:
  explicit Predictor(device::Specification gpu);
  // Errors: a model of another device, or of the same one with other parameters.
  static Result<Predictor> with(device::Specification gpu, Model model);

  const device::Specification& gpu() const { return *gpu_; }
  // Null without a model.
  const Model* model() const { return model_.get(); }
  // Whether a prediction at this setting uses the twin: without a model or with one of simulated rows, and at
  // requested clocks and limits, where predictions follow the twin's clock curve.
  bool simulated(const device::ClockAndLimit& setting) const;

  // Errors: a batch that the network does not support or that does not fit into memory; a network of views
  // only.
  Result<PreparedNetwork> prepare(const graph::Network& network, const WorkloadConfig& config) const;
  Result<PreparedNetwork> prepare(Iteration iteration) const;

 private:
  std::shared_ptr<const device::Specification> gpu_;
  std::shared_ptr<const Model> model_;
};

}  // namespace ergon::predict
