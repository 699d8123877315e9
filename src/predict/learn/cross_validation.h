#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "device/twin/specification.h"
#include "predict/learn/learner.h"
#include "predict/model/model.h"
#include "predict/samples/sample.h"

namespace ergon::predict {

// A prediction by trees that were not trained on this operation at any batch, mode or precision.
struct HeldOutOperation {
  const OperationSample* sample = nullptr;
  Seconds predicted;
  std::optional<Watts> predicted_power;
};

struct CrossValidationOptions {
  std::size_t folds = 15;
  std::size_t threads = 0;  // 0: one per processor
  std::uint64_t seed = 1;
  std::optional<TreeParameters> parameters;  // absent: chosen by the number of rows
  std::function<void(std::size_t done, std::size_t of)> progress;
  std::stop_token stop;
};

// Rows that a configuration (mode, precision, launch host) needs. Those with fewer are not predicted.
inline constexpr std::uint64_t kMinCrossValidationRows = 50;

// The configurations with fewer rows: "operations, inference, tf32: 8 rows; cross-validation needs 50".
std::vector<std::string> too_small_for_cross_validation(const TrainingData& data);

// Grouped cross-validation of single operations, launches included. Each mode and precision is fitted
// separately; an operation is in one fold only. Errors: too few folds; interrupted.
Result<std::vector<HeldOutOperation>> cross_validate(const TrainingData& data,
                                                     const device::Specification& gpu, const Learner& learner,
                                                     const CrossValidationOptions& options = {});

// By mode and precision: "operations, inference, tf32, time".
std::vector<Score> scores_of(const std::vector<HeldOutOperation>& held_out);

}  // namespace ergon::predict
