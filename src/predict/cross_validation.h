#pragma once

#include <functional>
#include <stop_token>
#include <vector>

#include "device/twin/specification.h"
#include "predict/learner.h"
#include "predict/model.h"
#include "predict/sample.h"

namespace ergon::predict {

// An operation as it was predicted by trees that never saw it, at any batch, mode or precision.
struct HeldBackOperation {
  const OperationSample* sample = nullptr;
  Seconds predicted;
  std::optional<Watts> predicted_power;
};

struct CrossValidationOptions {
  std::size_t folds = 15;
  std::size_t threads = 0;
  std::uint64_t seed = 1;
  std::optional<Recipe> recipe;  // nothing: what fits the number of rows
  std::function<void(std::size_t done, std::size_t of)> progress;
  std::stop_token stop;
};

// Operations by themselves, as they were measured, launches included: each mode and precision is learned by
// itself. An operation never stands on both sides. Errors: too few folds or rows; interrupted.
Result<std::vector<HeldBackOperation>> cross_validate(const TrainingData& data,
                                                      const device::Specification& gpu,
                                                      const Learner& learner,
                                                      const CrossValidationOptions& options = {});

// By mode and precision: "operations, inference, tf32, time".
std::vector<Score> scores_of(const std::vector<HeldBackOperation>& held_back);

}  // namespace ergon::predict
