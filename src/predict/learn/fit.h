#pragma once

#include <cstddef>
#include <functional>
#include <stop_token>
#include <vector>

#include "base/result.h"
#include "device/twin/specification.h"
#include "predict/learn/held_out.h"
#include "predict/learn/learner.h"
#include "predict/samples/sample.h"

namespace ergon::predict {

// Training data of another device.
struct RelatedDevice {
  const TrainingData* data = nullptr;
  device::Specification gpu;
};

struct FitOptions {
  std::size_t folds = 14;   // groups of held-out networks
  std::size_t threads = 0;  // 0: one per processor
  std::uint64_t seed = 1;
  // In modes with too few rows, measured-to-estimated ratios of these devices are used too.
  std::vector<RelatedDevice> related;
  std::function<void(std::size_t done, std::size_t of)> progress;
  std::stop_token stop;
};

struct FitResult {
  Model model;
  // Predictions of every network by a model fitted without it: once also without the operations that only it
  // has (`held_out`), once with all operations.
  std::vector<HeldOutNetwork> held_out, with_measured_operations;
};

// Fits forests to operation rows, then corrections from sums of operations to held-out networks.
// Errors: too few rows; rows of another device; interrupted.
Result<FitResult> fit(const TrainingData& data, const device::Specification& gpu, const Learner& learner,
                      const FitOptions& options = {});

// Calibrates the twin with a handful of rows. Errors: no rows.
Result<FitResult> fit_few(const TrainingData& data, const device::Specification& gpu);

}  // namespace ergon::predict
