#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "predict/model.h"

namespace ergon::predict {

// A network that was held back, as it was predicted and as it was measured.
struct HeldBack {
  std::string network;
  Condition condition;
  bool waits = false;
  Seconds predicted, measured;
  Watts predicted_power;
  std::optional<Watts> measured_power;
  double known_share = 0;  // of its time, in operations that were learned from
  Widths widths;           // of the interval that went with it

  double time_error() const { return (predicted / measured).si() - 1; }
  // Contract for both: its power was measured.
  double power_error() const { return (predicted_power / *measured_power).si() - 1; }
  double energy_error() const { return (1 + time_error()) * (1 + power_error()) - 1; }
};

// "networks, inference, time": how well held-back networks were met, by mode and quantity, and by host where
// there are several: "networks, inference, native host, time". `which` are they: "networks".
std::vector<Score> scores_of(const std::vector<HeldBack>& held_back, std::string_view which = "networks");
// Those whose operations were learned from.
inline constexpr std::string_view kOfKnownOperations = "networks of known operations";

}  // namespace ergon::predict
