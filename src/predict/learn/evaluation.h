#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "device/twin/specification.h"
#include "predict/learn/held_out.h"
#include "predict/learn/learner.h"
#include "predict/learn/training_devices.h"

namespace ergon::predict {

struct EvaluationOptions {
  bool operations = true, networks = true;
  std::size_t folds = 15;  // of the cross-validation of operations
  Ensemble trees = Ensemble::boosted;
  std::uint64_t min_batch = 1;  // networks at smaller batches are not scored
  std::uint64_t seed = 1;
  std::function<void(std::size_t done, std::size_t of)> operation_progress, network_progress;
  std::stop_token stop;
};

// Accuracy of predictions for one device.
struct Evaluation {
  std::vector<Score> scores;
  std::vector<std::string> skipped;  // rows that were requested but not evaluated, and why
  // Predictions of every network at every batch, each from a model fitted without that network: once also
  // without the operations that only it has (`held_out`), once with all operations. Absent if no networks
  // were evaluated.
  struct Networks {
    std::vector<HeldOutNetwork> held_out, with_measured_operations;
  };
  std::optional<Networks> networks;
};

// Evaluates operations by grouped cross-validation, and networks by holding out each one once. `all` has the
// data of `device` and of related devices. Errors: those of cross_validate() and fit(). Contract: `all` has
// the device.
Result<Evaluation> evaluate(const TrainingDataByDevice& all, const device::Specification& device,
                            const Learner& learner, const EvaluationOptions& options);

}  // namespace ergon::predict
