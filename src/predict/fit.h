#pragma once

#include <cstddef>
#include <functional>
#include <stop_token>
#include <vector>

#include "base/result.h"
#include "device/twin/specification.h"
#include "predict/held_back.h"
#include "predict/learner.h"
#include "predict/sample.h"

namespace ergon::predict {

// A device like the one that is learned, with rows of its own.
struct Relative {
  const TrainingData* data = nullptr;
  device::Specification gpu;
};

struct FitOptions {
  // Networks are held back in so many groups to learn what sums of operations get wrong.
  std::size_t folds = 14;
  std::size_t threads = 0;  // 0: as many as the machine has
  std::uint64_t seed = 1;
  // Where there are too few rows of a mode, how much slower than physics these run it stands in.
  std::vector<Relative> relatives;
  std::function<void(std::size_t done, std::size_t of)> progress;
  std::stop_token stop;
};

struct Fitted {
  Model model;
  // Networks as predicted by what others teach: without the operations that only they have, and with all.
  std::vector<HeldBack> held_back, of_known_operations;
};

// Learns operations from their rows, and what their sums get wrong from whole networks that take no part in
// it. Errors: too few rows; rows of another device; interrupted.
Result<Fitted> fit(const TrainingData& data, const device::Specification& gpu, const Learner& learner,
                   const FitOptions& options = {});

// The twin, moved to where a handful of rows are. Errors: no rows.
Result<Fitted> fit_few(const TrainingData& data, const device::Specification& gpu);

}  // namespace ergon::predict
