#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "base/result.h"
#include "device/twin/specification.h"
#include "predict/learner.h"
#include "predict/model.h"
#include "predict/sample.h"

namespace ergon::predict {

struct FitOptions {
  // Networks are held back in so many groups to learn what sums of operations get wrong.
  std::size_t folds = 14;
  std::size_t threads = 0;  // 0: as many as the machine has
  std::uint64_t seed = 1;
  std::function<void(std::size_t done, std::size_t of)> progress;
};

// A network that was held back, as it was predicted and as it was measured.
struct HeldBack {
  std::string network;
  Condition condition;
  bool waits = false;
  Seconds predicted, measured;
  Watts predicted_power, measured_power;  // 0 where nobody measured it
  Widths widths;                          // of the interval that went with it

  double time_error() const { return (predicted / measured).si() - 1; }
  double power_error() const { return (predicted_power / measured_power).si() - 1; }
  double energy_error() const { return (1 + time_error()) * (1 + power_error()) - 1; }
};

struct Fitted {
  Model model;
  std::vector<HeldBack> held_back;
};

// Learns operations from their rows, and what their sums get wrong from whole networks that take no part in
// it. Errors: too few rows; rows of another device.
Result<Fitted> fit(const TrainingData& data, const device::Specification& gpu, const Learner& learner,
                   const FitOptions& options = {});

// The twin, moved to where a handful of rows are. Errors: no rows.
Result<Fitted> fit_few(const TrainingData& data, const device::Specification& gpu);

// "networks, inference, time": how well held-back networks were met, by mode and quantity.
std::vector<Score> scores_of(const std::vector<HeldBack>& held_back);

}  // namespace ergon::predict
