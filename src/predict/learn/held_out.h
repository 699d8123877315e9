#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "predict/model/model.h"

namespace ergon::predict {

// A held-out network: predicted and measured.
struct HeldOutNetwork {
  std::string network;
  WorkloadConfig config;
  bool host_bound = false;
  Seconds predicted, measured;
  Watts predicted_power;
  std::optional<Watts> measured_power;
  double measured_share = 0;  // share of its time in operations of the training data
  IntervalWidths widths;      // of the predicted interval

  double time_error() const { return (predicted / measured).si() - 1; }
  // Contract for both: measured_power is present.
  double power_error() const { return (predicted_power / *measured_power).si() - 1; }
  double energy_error() const { return (1 + time_error()) * (1 + power_error()) - 1; }
};

// Accuracy by mode and quantity, "networks, inference, time", and by launch host if there are several,
// "networks, inference, native host, time". `which` is the first part of the names.
std::vector<Score> scores_of(const std::vector<HeldOutNetwork>& held_out,
                             std::string_view which = "networks");
// `which` of networks whose operations are in the training data.
inline constexpr std::string_view kWithMeasuredOperations = "networks with measured operations";

}  // namespace ergon::predict
